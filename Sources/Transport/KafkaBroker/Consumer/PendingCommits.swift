/// Calls of `commit` that wait for the poll thread, and when it tries again after a failure.
struct PendingCommits {
    typealias Done = CheckedContinuation<Void, any Error>

    private struct Call {
        let done: Done
        let deadline: ContinuousClock.Instant
    }

    private var waiting: [Call] = []
    /// Those that the commit under way serves. One that is called after it began waits for the next: what it means
    /// may have finished too late for this one.
    private var served: [Call] = []
    private var notBefore: ContinuousClock.Instant = .now
    private static let pause = Duration.milliseconds(200)

    mutating func add(_ done: Done, deadline: ContinuousClock.Instant) {
        waiting.append(Call(done: done, deadline: deadline))
    }

    func isDue(_ now: ContinuousClock.Instant) -> Bool { !waiting.isEmpty && now >= notBefore }

    /// How long the poll thread may wait for records.
    func wait(_ now: ContinuousClock.Instant, atMost longest: Duration) -> Duration {
        waiting.isEmpty ? longest : min(longest, max(.zero, notBefore - now))
    }

    mutating func begin() {
        served += waiting
        waiting = []
    }

    /// What was served is durable, or no longer this member's.
    mutating func succeeded() -> [Done] {
        defer { served = [] }
        return served.map(\.done)
    }

    /// Answers those that waited long enough; the others wait for the next attempt.
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
