internal import Database
internal import Digest
internal import Manifests
public import Storage

/// A library's database, and the folder it describes. Not thread-safe: used by one thread at a time.
///
/// One process writes (it holds the lock `.rawmill/catalogue.lock` for as long as the store is open); others read at
/// the same time and see whole transactions.
public final class LibraryStore {
    public enum Mode: Hashable, Sendable {
        case write, read
    }

    /// The library's folder; every path of the library is below it.
    public let root: Root
    /// The folder as it was given, for people.
    public var folder: String { root.path }
    let connection: Connection
    private let lock: LibraryLock?
    /// Recipes known to have a row: most renditions of a run share one.
    var knownRecipes: Set<SHA256Value> = []
    /// False saves a question for each rendition. Once true it stays so: a rolled-back reason does no harm.
    var hasCopies = false

    /// Opens the library in the folder; for writing, makes it where there is none.
    ///
    /// - Throws: `LibraryError`.
    public convenience init(folder: String, mode: Mode) throws {
        try self.init(folder: folder, mode: mode, database: LibraryLayout.database)
    }

    /// Opens it for writing with a lock that is held already.
    public convenience init(folder: String, lock: LibraryLock) throws {
        try self.init(folder: folder, mode: .write, database: LibraryLayout.database, lock: lock)
    }

    init(folder: String, mode: Mode, database: String, lock held: LibraryLock? = nil) throws {
        let path = "\(folder)/\(database)"
        let opened = try LibraryError.naming(folder) {
            let root = try Self.openRoot(folder, mode)
            let lock = mode == .write ? try held ?? LibraryLock(root) : nil
            if mode == .read, try root.factsIfPresent(of: Array(database.utf8)) == nil {
                throw LibraryError.notALibrary(folder: folder)
            }
            let connection = try Connection(path: path, mode: mode == .write ? .readWrite : .readOnly)
            try Self.prepare(connection, mode, folder)
            return (root, lock, connection)
        }
        (root, lock, connection) = opened
        hasCopies = try connection.first("SELECT 1 FROM copies LIMIT 1") { _ in true } ?? false
    }

    static func openRoot(_ folder: String, _ mode: Mode) throws -> Root {
        do { return try Root(path: folder, creating: mode == .write) } catch {
            throw error.kind == .notFound ? LibraryError.notALibrary(folder: folder) : error
        }
    }

    private static func prepare(_ connection: Connection, _ mode: Mode, _ folder: String) throws {
        if mode == .write { return try connection.migrate(Schema.migrations) }
        let version = try connection.first("PRAGMA user_version") { $0.integer(0) } ?? 0
        if version > Schema.migrations.count {
            throw DatabaseError.newerSchema(connection.path, found: version, known: Schema.migrations.count)
        }
        guard version == Schema.migrations.count else {
            throw version == 0
                ? LibraryError.notALibrary(folder: folder) : LibraryError.older(folder: folder)
        }
    }

    /// Runs `body` as one transaction: all of it is durable when this returns, none of it when it throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try LibraryError.naming(folder) {
            do { return try connection.transaction(body) } catch {
                // Rows that were rolled back are not known any more.
                knownRecipes.removeAll()
                throw error
            }
        }
    }
}
