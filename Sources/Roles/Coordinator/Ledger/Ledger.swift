internal import Concurrency
public import Database
internal import Glibc
internal import Manifests
internal import Storage

/// The ledger for concurrent tasks. It works on a thread of its own, so that tasks which do not need it never wait for
/// the disk.
public actor Ledger {
    private let executor = ThreadExecutor(name: "ledger")
    /// Nil before it was opened and after it was closed.
    private var store: LedgerStore?
    /// Called before and after every step, for tests that end the process there.
    private let gate: (@Sendable () throws -> Void)?

    /// The actor's thread. Unsafe because the reference does not retain the executor, which the actor owns.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    // MARK: Opening

    /// Opens a ledger.
    ///
    /// - Parameter path: the database, whose folder must exist.
    public init(path: String, mode: Connection.Mode = .readWrite) throws {
        try self.init(path: path, mode: mode, gate: nil)
    }

    init(path: String, mode: Connection.Mode = .readWrite, gate: (@Sendable () throws -> Void)?) throws {
        store = try LedgerStore(path: path, mode: mode)
        self.gate = gate
    }

    private init() {
        store = nil
        gate = nil
    }

    /// Opens a library's ledger on the ledger's own thread. Creates the folder if it does not exist.
    public static func open(library: String) async throws -> Ledger {
        let ledger = Ledger()
        try await ledger.open(library)
        return ledger
    }

    private func open(_ library: String) throws {
        _ = try Root(path: LedgerStore.folder(inLibrary: library), creating: true)
        store = try LedgerStore(path: LedgerStore.path(inLibrary: library))
    }

    /// Opens a library's ledger for reading, whether or not another process writes it. Nothing is changed: a database
    /// without a log is read without SQLite's companion files.
    ///
    /// - Returns: nil if the library has no ledger.
    public static func existing(library: String) throws -> Ledger? {
        try existing(path: LedgerStore.path(inLibrary: library))
    }

    /// Opens a ledger that has a folder of its own, like `existing(library:)`.
    public static func existing(folder: String) throws -> Ledger? {
        try existing(path: "\(folder)/\(LedgerStore.fileName)")
    }

    private static func existing(path: String) throws -> Ledger? {
        guard isPresent(path) else { return nil }
        return try Ledger(path: path, mode: isPresent(path + "-wal") ? .readOnly : .readAtRest)
    }

    /// Unsafe for its C string, which lives as long as the call.
    private static func isPresent(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

    // MARK: Using

    /// Runs `body` with the ledger. Only one such call runs at a time.
    ///
    /// - Throws: `LedgerError.closed` after `close`, and what `body` throws.
    public func perform<Value: Sendable>(_ body: @Sendable (LedgerStore) throws -> Value) throws -> Value {
        guard let store else { throw LedgerError.closed }
        try gate?()
        let value = try body(store)
        try gate?()
        return value
    }

    /// Closes the database, which merges its log and takes a moment.
    public func close() { store = nil }
}

extension LedgerStore {
    /// The path of a library's ledger.
    public static func path(inLibrary library: String) -> String { "\(folder(inLibrary: library))/\(fileName)" }

    static func folder(inLibrary library: String) -> String { "\(library)/\(LibraryLayout.hidden)" }
}
