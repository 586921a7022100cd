internal import Database
internal import Glibc
internal import LibraryTables
internal import Manifests
public import PostgreSQL

/// Location of a ledger's tables: a file, or a schema next to its library's on a PostgreSQL server.
public enum LedgerLocation: Hashable, Sendable {
    /// - Parameter path: the database, whose folder must exist when it is opened for writing.
    case file(path: String)
    case server(ServerAddress, schema: String)

    /// Location of a library's present or future ledger. An existing file in its folder takes precedence: it was
    /// written before the library's tables were moved, and a ledger is never abandoned.
    ///
    /// - Throws: `LibraryError`.
    public init(library: String) throws {
        let path = LedgerStore.path(inLibrary: library)
        if !Self.isPresent(path), let place = try LibraryServer.place(of: library) {
            self = .server(place.address, schema: place.schema + Self.ending)
        } else {
            self = .file(path: path)
        }
    }

    /// A ledger in a separate folder.
    public static func inFolder(_ folder: String) -> LedgerLocation { .file(path: "\(folder)/\(LedgerStore.fileName)") }

    /// Suffix of the schema's name after the library's.
    static let ending = "_ledger"

    /// Whether it is on a server.
    public var isServers: Bool {
        if case .server = self { true } else { false }
    }

    /// Unsafe for its C string, which lives as long as the call.
    static func isPresent(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    func connection(mode: ConnectionMode, lock: LedgerLock?) throws(DatabaseError) -> Connection {
        switch self {
        case .file(let path): try Connection(path: path, mode: mode)
        case .server(let address, let schema):
            try Connection(server: address, schema: schema, mode: mode, lock: lock?.server)
        }
    }

    /// How to open the ledger next to a process that may write it; nil if there is none.
    func readingMode() throws(DatabaseError) -> ConnectionMode? {
        switch self {
        case .file(let path):
            guard Self.isPresent(path) else { return nil }
            return Self.isPresent(path + "-wal") ? .readOnly : .readAtRest
        case .server(let address, let schema):
            let connection = try Connection(server: address, schema: schema, mode: .readOnly)
            return try connection.schemaVersion == 0 ? nil : .readOnly
        }
    }
}
