internal import Clock
internal import Concurrency
internal import Database
internal import LibraryTables

/// Ensures that only one process sends the jobs of a library whose tables are on a server. A process that lost the lock
/// can no longer write to a ledger opened with it, and never gets it back: its state may be out of date.
///
/// The server releases the lock when the process ends. A suspended process keeps its connection, so a waiting process
/// takes the lock from one that did not `keep` it for `patience`.
public final class LedgerLock: Sendable {
    let server: ServerLock
    private let keeper = Keeper()

    /// How long a process may be silent before another replaces it.
    public static let patience = Duration.seconds(15)
    private static let interval = Duration.seconds(4)

    private init(_ server: ServerLock) { self.server = server }

    /// Takes the lock of a library; nil for one whose tables are in its folder.
    ///
    /// - Parameter patience: takes it from a process that was silent that long; nil never evicts.
    /// - Throws: a `DatabaseError` of kind `busy`, with the process that holds it, if any; `LibraryError`.
    public static func take(library: String, evicting patience: Duration? = nil) throws -> LedgerLock? {
        guard let place = try LibraryServer.place(of: library) else { return nil }
        return LedgerLock(
            try ServerLock(
                place.address, name: place.schema + LedgerLocation.ending, isRenewable: false, evicting: patience))
    }

    /// Reports to the server at intervals that this process is alive, until the task is cancelled. Required for a
    /// process that holds the lock longer than a few seconds.
    ///
    /// - Parameter isAlive: false while the process is unusable, so that another may replace it.
    /// - Throws: `DatabaseError` once the lock is lost.
    public func keep(while isAlive: @Sendable () -> Bool = { true }) async throws {
        try await Periodic.run(every: Self.interval) {
            if isAlive() { try await keeper.keep(server) }
        }
    }

    /// A separate thread: a server that does not respond blocks nothing else.
    private actor Keeper {
        private let executor = ThreadExecutor(name: "ledger-lock")
        /// Unsafe because the reference does not retain the executor, which the actor owns.
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func keep(_ lock: ServerLock) throws { try lock.keep() }
    }
}
