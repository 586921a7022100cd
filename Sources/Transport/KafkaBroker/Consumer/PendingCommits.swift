/// Calls of `commit` that wait for the poll thread, and the time of its next attempt after a failure.
struct PendingCommits {
    typealias Done = CheckedContinuation<Void, any Error>

    private struct Call {
        let done: Done
        let deadline: ContinuousClock.Instant
    }

    private var waiting: [Call] = []
    /// The calls that the current commit serves. A call that arrives after its start waits for the next commit, because
    /// its records may have finished too late for the current one.
    private var served: [Call] = []
    private var notBefore: ContinuousClock.Instant = .now
    private static let pause = Duration.milliseconds(200)

    mutating func add(_ done: Done, deadline: ContinuousClock.Instant) {
        waiting.append(Call(done: done, deadline: deadline))
    }

    func isDue(_ now: ContinuousClock.Instant) -> Bool { !waiting.isEmpty && now >= notBefore }

    /// How long the poll thread may wait for records; never more than `longest`.
    func wait(_ now: ContinuousClock.Instant, max longest: Duration) -> Duration {
        waiting.isEmpty ? longest : min(longest, max(.zero, notBefore - now))
    }

    mutating func begin() {
        served += waiting
        waiting = []
    }

    /// Records that the commit succeeded. Returns the calls that it served.
    mutating func succeeded() -> [Done] {
        defer { served = [] }
        return served.map(\.done)
    }

    /// Records that the commit failed. Returns the calls that have waited too long. The others wait for the next
    /// attempt.
    mutating func failed(_ now: ContinuousClock.Instant) -> [Done] {
        notBefore = now + Self.pause
        let over = served.filter { $0.deadline <= now }
        waiting = served.filter { $0.deadline > now } + waiting
        served = []
        return over.map(\.done)
    }

    mutating func takeAll() -> [Done] {
        begin()
        return succeeded()
    }
}
