public import Database
internal import Glibc
internal import Manifests
internal import Storage
internal import Concurrency

/// The ledger for tasks: on a thread of its own, so that the disk holds up nobody else.
public actor Ledger {
    private let executor = ThreadExecutor(name: "ledger")
    /// Nil before it was opened and after it was closed.
    private var store: LedgerStore?
    /// Called before and after every step, for tests that end the process there.
    private let gate: (@Sendable () throws -> Void)?

    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// - Parameter path: of the database; its folder must exist.
    public init(path: String, mode: Connection.Mode = .readWrite) throws {
        try self.init(path: path, mode: mode, gate: nil)
    }

    private init() {
        store = nil
        gate = nil
    }

    /// The ledger of a library, whose folder is made where it does not exist; opened on its own thread.
    public static func open(library: String) async throws -> Ledger {
        let ledger = Ledger()
        try await ledger.open(library)
        return ledger
    }

    private func open(_ library: String) throws {
        _ = try Root(path: LedgerStore.folder(inLibrary: library), creating: true)
        store = try LedgerStore(path: LedgerStore.path(inLibrary: library))
    }

    /// The ledger of a library, for reading, beside a process that writes it or alone; nil where there is none. Nothing
    /// is touched: a database whose log is gone is at rest, and is read without SQLite's companion files.
    public static func existing(library: String) throws -> Ledger? {
        try existing(path: LedgerStore.path(inLibrary: library))
    }

    /// The same of a ledger that has a folder of its own.
    public static func existing(folder: String) throws -> Ledger? {
        try existing(path: "\(folder)/\(LedgerStore.fileName)")
    }

    private static func existing(path: String) throws -> Ledger? {
        guard access(path, F_OK) == 0 else { return nil }
        return try Ledger(path: path, mode: access(path + "-wal", F_OK) == 0 ? .readOnly : .readAtRest)
    }

    init(path: String, mode: Connection.Mode = .readWrite, gate: (@Sendable () throws -> Void)?) throws {
        store = try LedgerStore(path: path, mode: mode)
        self.gate = gate
    }

    /// Runs `body` with the ledger, alone. Each of the ledger's own functions is a transaction of its own.
    ///
    /// - Throws: `LedgerError.closed` after `close`, beside what `body` throws.
    public func perform<Value: Sendable>(_ body: @Sendable (LedgerStore) throws -> Value) throws -> Value {
        guard let store else { throw LedgerError.closed }
        try gate?()
        let value = try body(store)
        try gate?()
        return value
    }

    /// Leaves the database at rest, which takes the disk a while.
    public func close() { store = nil }
}

extension LedgerStore {
    /// Where a library's ledger is.
    public static func path(inLibrary library: String) -> String { "\(folder(inLibrary: library))/\(fileName)" }

    static func folder(inLibrary library: String) -> String { "\(library)/\(LibraryLayout.hidden)" }
}
