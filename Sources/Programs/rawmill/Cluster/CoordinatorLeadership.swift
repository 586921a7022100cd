import Coordinator
import Database
import Library
import Runs
import Telemetry

/// The terms of one coordinator. Where the library is on a server it waits until no other has the lock, coordinates until
/// it loses it or the server fails, and waits again; what it knew is forgotten with each term. Where the library is in its folder
/// alone it keeps its lock, and a term ends where the ledger's disk is full.
///
/// A coordinator whose process ended is replaced at once, one that hangs or is stopped within half a minute. When it wakes up, the
/// server refuses what it writes; what it may still send are jobs that were open when it was stopped: rendered twice, and
/// merged once.
struct CoordinatorLeadership: Sendable {
    let library: String
    /// The ledger's folder; nil for the usual place.
    let folder: String?
    /// True where the library is on a server.
    let isShared: Bool
    let log: Logger
    /// Makes a new library; called before each attempt to take the lock.
    let make: @Sendable () throws -> Void
    /// Called when it waits for another coordinator: it is ready to take its place.
    let onStandby: @Sendable () -> Void
    /// Called with what it waits for, and with nil when it waits no more.
    let onOutage: @Sendable (String?) -> Void
    /// False while the process is of no use, so that another may take its place.
    let isAlive: @Sendable () -> Bool

    private static let pause = Duration.seconds(1)
    /// Until a full disk is looked at again, the server's too. Each time everything is begun anew.
    private static let diskPause = Duration.seconds(5)
    /// A term that has lasted so long has written what could not be written before: a full disk can be read, and locked.
    private static let proof = Duration.seconds(10)

    /// Runs until the task is cancelled, or until an error that waiting does not cure.
    ///
    /// - Parameters:
    ///   - first: a ledger that is locked already, of a library in its folder alone.
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

    /// Takes the lock when it is free.
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

    /// One term. It ends with the lock.
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
