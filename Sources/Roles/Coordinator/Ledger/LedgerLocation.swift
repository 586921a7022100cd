internal import Database
internal import Glibc
internal import Library
internal import Manifests
public import PostgreSQL

/// Where a ledger's tables are: in a file, or beside its library's on a PostgreSQL server.
public enum LedgerLocation: Hashable, Sendable {
    /// - Parameter path: the database, whose folder must exist when it is opened for writing.
    case file(path: String)
    case server(ServerAddress, schema: String)

    /// Where the ledger of a library is, or will be. A file in its folder that is there already counts: it was written before
    /// the library's tables were moved, and a ledger is never left behind.
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

    /// A ledger in a folder of its own.
    public static func inFolder(_ folder: String) -> LedgerLocation { .file(path: "\(folder)/\(LedgerStore.fileName)") }

    /// What the schema's name has after the library's.
    static let ending = "_ledger"

    /// True if it is on a server.
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

    /// How to open the ledger beside a process that may write it; nil if there is none.
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
