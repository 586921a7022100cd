internal import Database
internal import Manifests
internal import PostgreSQL
internal import Storage
public import Upkeep

/// A ledger in the backup of its library.
public struct LedgerBackup {
    private let location: LedgerLocation
    private let folder: String

    /// - Parameters:
    ///   - folder: the library's folder.
    ///   - state: the ledger's separate folder; nil for the library's.
    /// - Throws: `LibraryError`.
    public init(library folder: String, state: String?) throws {
        location = try state.map { .inFolder($0) } ?? LedgerLocation(library: folder)
        self.folder = state ?? "\(folder)/\(LibraryLayout.hidden)"
    }

    /// Copies a consistent state of the ledger while its coordinator continues to write.
    ///
    /// - Parameter onRows: called with the number of rows copied since its last call.
    /// - Returns: false if there is no ledger.
    /// - Throws: `DatabaseError`, `InexactCopy`; what `onRows` throws.
    @discardableResult
    public func write(to backup: BackupFolder, onRows: (Int) throws -> Void = { _ in }) throws -> Bool {
        guard let mode = try location.readingMode() else { return false }
        let ledger = try location.connection(mode: mode, lock: nil)
        try DatabaseCopy.write(
            ledger, as: LedgerSchema.schema, toFile: backup.file(LedgerStore.fileName), onRows: onRows)
        return true
    }

    /// Restores the backup's ledger to the library's location. The former one is kept under a name that ends in `old`.
    ///
    /// - Parameters:
    ///   - lock: the coordinator's, on the server.
    ///   - onRows: called with the number of rows copied since its last call.
    /// - Throws: `LibraryError` if the backup has no ledger; `DatabaseError`, `InexactCopy`, `StorageError`.
    public func restore(
        from backup: BackupFolder, lock: LedgerLock?, onRows: (Int) throws -> Void = { _ in }
    ) throws {
        let root = try Root(path: folder, creating: true)
        for ending in Self.companions { try root.remove(Self.name(Self.staged + ending)) }
        try backup.copy(LedgerStore.fileName, to: root, at: Self.name(Self.staged))
        let file = try Connection(path: "\(folder)/\(LedgerStore.fileName)\(Self.staged)")
        try file.migrate(LedgerSchema.schema)
        try file.becomeOneFile()
        switch location {
        case .file(let path):
            if LedgerLocation.isPresent(path) {
                // A damaged file keeps its log, which moves first, so that a log never lacks its database.
                try? Connection(path: path).emptyLog()
                for ending in Self.companions + [""] where ending != "-shm" {
                    let isThere = try root.factsIfPresent(of: Self.name(ending)) != nil
                    if isThere { try root.move(Self.name(ending), to: Self.name(".old" + ending)) }
                }
            }
            try root.move(Self.name(Self.staged), to: Self.name())
        case .server(let address, let schema):
            let isThere = try location.readingMode() != nil
            try Self.replace(schema, isThere: isThere, on: address, by: file, lock: lock, onRows)
            try root.remove(Self.name(Self.staged))
        }
    }

    private static func replace(
        _ schema: String, isThere: Bool, on address: ServerAddress, by file: Connection, lock: LedgerLock?,
        _ onRows: (Int) throws -> Void
    ) throws {
        let new = "\(schema)_new"
        let old = try Connection(server: address, schema: schema, lock: lock?.server)
        try old.script("DROP SCHEMA IF EXISTS \(new) CASCADE")
        let tables = try Connection(server: address, schema: new, lock: lock?.server)
        try tables.migrate(LedgerSchema.schema)
        try DatabaseCopy.copyAll(from: file, to: tables) { try onRows($1) }
        try old.transaction {
            try old.script(
                """
                \(isThere
                    ? "DROP SCHEMA IF EXISTS \(schema)_old CASCADE; ALTER SCHEMA \(schema) RENAME TO \(schema)_old;"
                    : "DROP SCHEMA IF EXISTS \(schema) CASCADE;")
                ALTER SCHEMA \(new) RENAME TO \(schema);
                """)
        }
    }

    private static let staged = ".new"
    private static let companions = ["-wal", "-shm", "-journal"]

    private static func name(_ ending: String = "") -> [UInt8] { Array((LedgerStore.fileName + ending).utf8) }
}
