internal import Broker
internal import Synchronization

/// What the tasks of a run tell each other.
final class RunState: Sendable {
    /// Rings when jobs were accepted, and when the plan is complete.
    let bell = WakeSignal()
    private struct Facts {
        var plan: PlanCounts?
        var isPlanned = false
        var lastEnd = ContinuousClock.now
    }

    private let facts = Mutex(Facts())

    /// True when no more jobs will be accepted.
    var isPlanned: Bool { facts.withLock { $0.isPlanned } }

    /// Nil until the plan is complete.
    var plan: PlanCounts? { facts.withLock { $0.plan } }

    /// - Parameter plan: nil where there was none, or it was given up.
    func planEnded(_ plan: PlanCounts?) {
        facts.withLock { facts in
            facts.plan = plan
            facts.isPlanned = true
        }
        bell.ring()
    }

    func jobsAccepted() { bell.ring() }

    func jobsEnded() { facts.withLock { $0.lastEnd = .now } }

    /// How long no job has ended.
    var quiet: Duration { facts.withLock { $0.lastEnd.duration(to: .now) } }
}
