internal import Concurrency
public import Broker
public import Database
internal import Manifests
internal import Storage

/// The ledger for concurrent tasks. It works on a separate thread, so that tasks that do not need it never wait for the
/// disk.
public actor Ledger {
    private let executor = ThreadExecutor(name: "ledger")
    private var store: LedgerStore?
    /// Rung by callers that changed what others wait for: jobs, orders, removals, dead letters.
    public nonisolated let changes = WakeSignal()
    /// Called before and after every step, for tests that end the process there.
    private let gate: (@Sendable () throws -> Void)?

    /// The actor's thread. Unsafe because the reference does not retain the executor, which the actor owns.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    // MARK: Opening

    /// Opens a ledger. For `lock` see `LedgerStore`.
    public init(at location: LedgerLocation, mode: ConnectionMode = .readWrite, lock: LedgerLock? = nil) throws {
        try self.init(at: location, mode: mode, lock: lock, gate: nil)
    }

    init(
        at location: LedgerLocation, mode: ConnectionMode = .readWrite, lock: LedgerLock? = nil,
        gate: (@Sendable () throws -> Void)?
    ) throws {
        store = try LedgerStore(at: location, mode: mode, lock: lock)
        self.gate = gate
    }

    private init() {
        store = nil
        gate = nil
    }

    /// Opens a library's ledger on the ledger's own thread. Creates its folder if missing. For `lock` see
    /// `LedgerStore`.
    public static func open(library: String, lock: LedgerLock? = nil) async throws -> Ledger {
        let ledger = Ledger()
        try await ledger.open(library, lock)
        return ledger
    }

    private func open(_ library: String, _ lock: LedgerLock?) throws {
        let location = try LedgerLocation(library: library)
        if !location.isServers { _ = try Root(path: LedgerStore.folder(inLibrary: library), creating: true) }
        store = try LedgerStore(at: location, lock: lock)
    }

    /// Opens a library's ledger for reading, even while another process writes it. Changes nothing: a database without
    /// a log is read without SQLite's companion files.
    ///
    /// - Returns: nil if the library has no ledger.
    public static func existing(library: String) throws -> Ledger? {
        try existing(at: LedgerLocation(library: library))
    }

    /// Opens a ledger in a separate folder, like `existing(library:)`.
    public static func existing(folder: String) throws -> Ledger? {
        try existing(at: .inFolder(folder))
    }

    private static func existing(at location: LedgerLocation) throws -> Ledger? {
        try location.readingMode().map { try Ledger(at: location, mode: $0) }
    }

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
    /// Path of a library's ledger.
    public static func path(inLibrary library: String) -> String { "\(folder(inLibrary: library))/\(fileName)" }

    static func folder(inLibrary library: String) -> String { "\(library)/\(LibraryLayout.hidden)" }
}
