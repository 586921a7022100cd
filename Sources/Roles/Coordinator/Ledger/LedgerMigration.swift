internal import Database
internal import LibraryTables
internal import Manifests
internal import Storage

/// Moves a library's ledger to the new location of the library's tables. The tables are copied next to the existing
/// ones, compared, and replace them in one step: a ledger in the library's folder takes precedence over one on the
/// server.
public struct LedgerMigration {
    private let folder: String
    private let lock: LedgerLock?

    /// Creates a migration. The caller holds the coordinator's lock of the library's folder; `lock` is its part on the
    /// server.
    public init(library folder: String, lock: LedgerLock?) {
        self.folder = folder
        self.lock = lock
    }

    private var path: String { LedgerStore.path(inLibrary: folder) }
    private static let name = "\(LibraryLayout.hidden)/\(LedgerStore.fileName)"
    private static let kept = "_old"

    /// Moves the ledger in the folder to the server with the library's tables. `onRows` receives the number of rows
    /// copied since its last call.
    ///
    /// - Throws: `DatabaseError`, `InexactCopy`, `StorageError`, `LibraryError`.
    public func moveToServer(onRows: (Int) throws -> Void = { _ in }) throws {
        guard LedgerLocation.isPresent(path), let place = try LibraryServer.place(of: folder) else { return }
        let schema = place.schema + LedgerLocation.ending
        do {
            // Left by an interrupted migration, or by earlier use of the server.
            try Connection(server: place.address, schema: schema).script("DROP SCHEMA IF EXISTS \(schema) CASCADE")
            let (old, new) = (
                try Connection(path: path), try Connection(server: place.address, schema: schema, lock: lock?.server)
            )
            try old.migrate(LedgerSchema.schema)
            try new.migrate(LedgerSchema.schema)
            try DatabaseCopy.copyAll(from: old, to: new) { try onRows($1) }
            try old.emptyLog()
        }
        let root = try Root(path: folder)
        for ending in Self.companions { try root.remove(Array((Self.name + ending).utf8)) }
        try root.move(Array(Self.name.utf8), to: Array("\(Self.name).old".utf8))
    }

    /// Moves the ledger on the server into the folder. `onRows` receives the number of rows copied since its last call.
    ///
    /// - Throws: `DatabaseError`, `InexactCopy`, `StorageError`, `LibraryError`.
    public func moveToFolder(onRows: (Int) throws -> Void = { _ in }) throws {
        guard case .server(let address, let schema) = try LedgerLocation(library: folder),
            try LedgerLocation.server(address, schema: schema).readingMode() != nil
        else { return }
        let root = try Root(path: folder)
        let copy = "\(Self.name).new"
        for ending in [""] + Self.companions { try root.remove(Array((copy + ending).utf8)) }
        let old = try Connection(server: address, schema: schema, lock: lock?.server)
        do {
            let new = try Connection(path: "\(folder)/\(copy)")
            try new.migrate(LedgerSchema.schema)
            try DatabaseCopy.copyAll(from: old, to: new) { try onRows($1) }
            try new.becomeOneFile()
        }
        for ending in Self.companions { try root.remove(Array((copy + ending).utf8)) }
        try root.move(Array(copy.utf8), to: Array(Self.name.utf8))
        try old.transaction {
            try old.script(
                """
                DROP SCHEMA IF EXISTS \(schema)\(Self.kept) CASCADE;
                ALTER SCHEMA \(schema) RENAME TO \(schema)\(Self.kept);
                """)
        }
    }

    private static let companions = ["-wal", "-shm", "-journal"]
}
