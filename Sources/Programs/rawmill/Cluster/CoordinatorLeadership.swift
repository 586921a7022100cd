import Coordinator
import Database
import Library
import Runs
import Telemetry

/// The terms of one coordinator. With the library on a server, it waits for the lock, coordinates until it loses the
/// lock or the server fails, and waits again; each term starts without knowledge of the last. With the library in its
/// folder, it keeps its lock, and a term ends when the ledger's disk is full.
///
/// A coordinator whose process ended is replaced at once, a stopped or hanging one within half a minute. When it wakes
/// up, the server refuses its writes; it may still send jobs that were open when it stopped, which are then rendered
/// twice and merged once.
struct CoordinatorLeadership: Sendable {
    let library: String
    /// The ledger's folder; nil for the default.
    let folder: String?
    /// Whether the library is on a server.
    let isShared: Bool
    let log: Logger
    /// Creates a new library; called before each attempt to take the lock.
    let make: @Sendable () throws -> Void
    /// Called when it waits for another coordinator, ready to replace it.
    let onStandby: @Sendable () -> Void
    /// Called with the cause of a wait, and with nil at its end.
    let onOutage: @Sendable (String?) -> Void
    /// False while the process is of no use, so that another may replace it.
    let isAlive: @Sendable () -> Bool

    private static let pause = Duration.seconds(1)
    /// The interval between checks of a full disk, also the server's. Each starts a new term.
    private static let diskPause = Duration.seconds(5)
    /// After a term this long, writes work again: a full disk can still be read and locked.
    private static let proof = Duration.seconds(10)

    /// Runs until the task is cancelled, or until an error that waiting cannot resolve.
    ///
    /// - Parameters:
    ///   - first: a ledger that is already locked, of a library in its folder.
    ///   - work: coordinates until its task is cancelled.
    func run(_ first: LockedLedger?, _ work: @escaping @Sendable (LockedLedger) async throws -> Void) async throws {
        let outages = OutageLog(log, end: "The ledger can be written again.", onOutage)
        var kept = first
        var wasFull = false
        while !Task.isCancelled {
            do {
                let locked = if let kept { kept } else { try await waitForTurn(outages) }
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

    private func waitForTurn(_ outages: OutageLog) async throws -> LockedLedger {
        while true {
            try Task.checkCancellation()
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
