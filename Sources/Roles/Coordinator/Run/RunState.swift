internal import Broker
internal import Synchronization

final class RunState: Sendable {
    /// Rings when the ledger has something to send, and when the plan is complete.
    let changes: WakeSignal

    private struct Progress {
        var plan: PlanCounts?
        var isPlanned = false
        var lastEnd = ContinuousClock.now
    }

    private let progress = Mutex(Progress())

    /// Each task comes round that often, to show that it lives.
    static let maxWait = Duration.seconds(1)

    /// - Parameter ledger: whose changes wake the run's tasks.
    init(_ ledger: Ledger) { changes = ledger.changes }

    /// True when no more jobs will be accepted.
    var isPlanned: Bool { progress.withLock { $0.isPlanned } }

    var plan: PlanCounts? { progress.withLock { $0.plan } }

    /// - Parameter plan: nil if there was no request, or if its batch was cancelled.
    func planEnded(_ plan: PlanCounts?) {
        progress.withLock { progress in
            progress.plan = plan
            progress.isPlanned = true
        }
        changes.signal()
    }

    func jobsEnded() { progress.withLock { $0.lastEnd = .now } }

    /// Time since a job ended or the run started.
    var timeSinceLastEnd: Duration { progress.withLock { $0.lastEnd.duration(to: .now) } }
}
