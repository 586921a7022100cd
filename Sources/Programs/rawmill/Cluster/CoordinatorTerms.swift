import CommandLineTool
import Coordinator
import Database
import Library
import Telemetry

/// The terms of one coordinator of a library whose ledger is on a server: it waits until no other has the lock, coordinates until
/// it loses it or the server fails, and waits again. What it knew is forgotten with each term.
///
/// A coordinator whose process ended is replaced at once, one that hangs or is stopped within half a minute. When it wakes up, the
/// server refuses what it writes; what it may still send are jobs that were open when it was stopped: rendered twice, and
/// merged once.
struct CoordinatorTerms: Sendable {
    let library: String
    let log: Logger
    /// Called when it waits for another coordinator: it is ready to take its place.
    let onStandby: @Sendable () -> Void
    /// False while the process is of no use, so that another may take its place.
    let isAlive: @Sendable () -> Bool

    private static let pause = Duration.seconds(1)

    /// Runs until the task is cancelled, or until an error that waiting does not cure.
    ///
    /// - Parameter work: coordinates until its task is cancelled.
    func run(_ work: @escaping @Sendable (LockedLedger) async throws -> Void) async throws {
        var outages = OutageLog(log)
        while !Task.isCancelled {
            do {
                let locked = try await waitForTurn(&outages)
                log.info(.coordinatorLeads)
                do { try await serve(locked, work) } catch {
                    await locked.ledger.close()
                    throw error
                }
                await locked.ledger.close()
            } catch is CancellationError {
                return
            } catch {
                guard let error = Outage(error) else { throw error }
                log.error(.coordinatorStepsDown, [.message: "\(error.cause)"])
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Takes the lock when it is free.
    private func waitForTurn(_ outages: inout OutageLog) async throws -> LockedLedger {
        while true {
            try Task.checkCancellation()
            do {
                return try LockedLedger(library: library, folder: nil, evicting: LedgerLock.patience)
            } catch {
                guard let error = Outage(error) else { throw error }
                if error.kind == .busy { onStandby() }
                outages.note(error)
            }
            try await Task.sleep(for: Self.pause)
        }
    }

    /// One term. It ends with the lock.
    private func serve(
        _ locked: LockedLedger, _ work: @escaping @Sendable (LockedLedger) async throws -> Void
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await work(locked) }
            if let server = locked.server { group.addTask { try await server.keep(while: isAlive) } }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

/// An error of the server's that a coordinator waits out.
private struct Outage: Error {
    let kind: DatabaseError.Kind
    let cause: String

    /// Nil for an error that waiting does not cure.
    init?(_ error: any Error) {
        let found: DatabaseError? =
            if case .database(let inner)? = error as? LibraryError { inner } else { error as? DatabaseError }
        guard let found, found.isServers else { return nil }
        switch found.kind {
        case .busy, .unreachable, .exhausted, .notTrusted, .conflict, .diskFull: break
        case .corrupt, .readOnly, .cannotOpen, .newerSchema, .refused, .other: return nil
        }
        kind = found.kind
        cause = found.kind == .busy ? found.message : found.description
    }
}

/// Says once why a coordinator waits, not every second.
private struct OutageLog {
    private let log: Logger
    private var last: String?

    init(_ log: Logger) { self.log = log }

    mutating func note(_ outage: Outage) {
        guard outage.cause != last else { return }
        last = outage.cause
        if outage.kind == .busy {
            log.info(.coordinatorStandsBy, [.message: "\(outage.cause); waiting to take its place"])
        } else {
            log.error(.databaseUnavailable, [.message: "\(outage.cause)"])
        }
    }
}
