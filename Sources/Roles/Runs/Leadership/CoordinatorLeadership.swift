internal import Coordinator
internal import Database
internal import PhotoTree
package import Telemetry

/// The terms of one coordinator. With the library on a server, it stands by until it gets the lock, coordinates until
/// it loses the lock or the server fails, and stands by again; each term starts without state in memory. Without a
/// server, it keeps its lock, and a term ends when the ledger's disk is full.
///
/// A coordinator whose process ended is replaced at once, one that hangs or is stopped within half a minute. When that
/// one continues, the server refuses its writes. It may still send jobs that were open when it was stopped: they are
/// rendered twice and merged once.
package struct CoordinatorLeadership: Sendable {
    private let library: String
    private let folder: String?
    private let isShared: Bool
    private let log: Logger
    private let make: @Sendable () throws -> Void
    private let onStandby: @Sendable () -> Void
    private let onOutage: @Sendable (String?) -> Void
    private let isAlive: @Sendable () -> Bool

    private static let pause = Duration.seconds(1)
    /// The pause for a full disk, here or on the server, because each term starts everything again.
    private static let diskPause = Duration.seconds(5)
    /// A term of this length proves that the disk can be written. A full disk can still be read and locked.
    private static let proof = Duration.seconds(10)

    /// - Parameters:
    ///   - folder: the ledger's folder; nil for the default.
    ///   - isShared: true for a library on a server.
    ///   - make: creates a new library; called before each attempt to take the lock.
    ///   - onStandby: called when another coordinator leads and this one is ready to take over.
    ///   - onOutage: called with the cause of an outage, and with nil at its end.
    ///   - isAlive: false while this process makes no progress, so that another may take over.
    package init(
        library: String, folder: String?, isShared: Bool, log: Logger, make: @escaping @Sendable () throws -> Void,
        onStandby: @escaping @Sendable () -> Void, onOutage: @escaping @Sendable (String?) -> Void,
        isAlive: @escaping @Sendable () -> Bool
    ) {
        self.library = library
        self.folder = folder
        self.isShared = isShared
        self.log = log
        self.make = make
        self.onStandby = onStandby
        self.onOutage = onOutage
        self.isAlive = isAlive
    }

    /// Runs until the task is cancelled, or until an error that waiting does not resolve.
    ///
    /// - Parameters:
    ///   - first: the locked ledger of a library without a server.
    ///   - work: coordinates until its task is cancelled.
    package func run(_ first: LockedLedger?, _ work: @escaping @Sendable (LockedLedger) async throws -> Void)
        async throws
    {
        let outages = OutageLog(log, end: "The ledger can be written again.", onOutage)
        var kept = first
        var wasFull = false
        while !Task.isCancelled {
            do {
                let locked = if let kept { kept } else { try await waitForLock(outages) }
                if !isShared {
                    kept = locked
                } else if !wasFull {
                    outages.ended()
                    log.info(.coordinatorLeads)
                }
                do { try await serve(locked, outages, work) } catch {
                    if isShared { await locked.ledger.close() }
                    throw error
                }
                await locked.ledger.close()
            } catch is CancellationError {
                return
            } catch {
                guard let error = CoordinatorOutage(error), isShared || error.kind == .diskFull else { throw error }
                wasFull = error.kind == .diskFull
                if isShared, !wasFull {
                    outages.begins(error)
                    log.error(.coordinatorStepsDown, [.message: "\(error.cause)"])
                } else {
                    outages.write(error)
                }
                try? await Task.sleep(for: wasFull ? Self.diskPause : Self.pause)
            }
        }
    }

    private func waitForLock(_ outages: OutageLog) async throws -> LockedLedger {
        while true {
            do {
                try make()
                return try LockedLedger(
                    library: library, folder: folder, evicting: isShared ? LedgerLock.patience : nil)
            } catch {
                guard let error = CoordinatorOutage(error), isShared || error.kind == .diskFull else { throw error }
                if error.kind == .busy { onStandby() }
                outages.write(error)
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    private func serve(
        _ locked: LockedLedger, _ outages: OutageLog,
        _ work: @escaping @Sendable (LockedLedger) async throws -> Void
    ) async throws {
        let now = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work(locked) }
            if let server = locked.server { group.addTask { try await server.keep(while: isAlive) } }
            let proving = Task {
                try await Task.sleep(for: Self.proof)
                outages.ended(at: now)
            }
            defer {
                proving.cancel()
                group.cancelAll()
            }
            try await group.next()
        }
    }
}
