internal import Concurrency
internal import Database
internal import Library

/// Shows that one process hands out the jobs of a library whose tables are on a server. Whoever lost it writes nothing more
/// into a ledger that was opened with it, and never gets it back: what that process remembers may be out of date.
///
/// The server drops the lock when the process ends. A process that is stopped keeps its connection; one that waits for the lock
/// takes it from a process that did not `keep` it for `patience`.
public final class LedgerLock: Sendable {
    let server: ServerLock
    private let keeper = Keeper()

    /// How long a process may be silent before another takes its place.
    public static let patience = Duration.seconds(15)
    private static let interval = Duration.seconds(4)

    private init(_ server: ServerLock) { self.server = server }

    /// Takes the lock of a library; nil for one whose tables are in its folder.
    ///
    /// - Parameter patience: takes it from a process that was silent that long; nil to take it from nobody.
    /// - Throws: a `DatabaseError` of kind `busy`, with the process that has it, if one has; `LibraryError`.
    public static func take(library: String, evicting patience: Duration? = nil) throws -> LedgerLock? {
        guard let place = try LibraryServer.place(of: library) else { return nil }
        return LedgerLock(
            try ServerLock(
                place.address, name: place.schema + LedgerLocation.ending, isRenewable: false, evicting: patience))
    }

    /// Shows the server again and again that this process lives, until the task is cancelled. A process that holds the lock for
    /// longer than a few seconds has to.
    ///
    /// - Parameter isAlive: false while the process is of no use, so that another may take its place.
    /// - Throws: `DatabaseError` once the lock is lost.
    public func keep(while isAlive: @Sendable () -> Bool = { true }) async throws {
        while !Task.isCancelled {
            if isAlive() { try await keeper.keep(server) }
            try? await Task.sleep(for: Self.interval)
        }
    }

    /// A thread of its own: a server that does not answer holds up nothing else.
    private actor Keeper {
        private let executor = ThreadExecutor(name: "ledger-lock")
        /// The actor's thread. Unsafe because the reference does not retain the executor, which the actor owns.
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        func keep(_ lock: ServerLock) throws { try lock.keep() }
    }
}
