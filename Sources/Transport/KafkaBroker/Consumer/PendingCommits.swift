/// Calls of `commit` that wait for the poll thread, and the time of its next attempt after a failure.
struct PendingCommits {
    typealias Done = CheckedContinuation<Void, any Error>

    private struct Call {
        let number: UInt64
        let done: Done
        let deadline: ContinuousClock.Instant
    }

    private var waiting: [Call] = []
    /// The calls that the current commit serves. Later calls wait for the next commit, because their records may have
    /// finished too late for this one.
    private var served: [Call] = []
    private var notBefore: ContinuousClock.Instant = .now
    private var newest: UInt64 = 0
    private static let pause = Duration.milliseconds(200)

    mutating func newCall() -> UInt64 {
        newest += 1
        return newest
    }

    mutating func add(_ number: UInt64, _ done: Done, deadline: ContinuousClock.Instant) {
        waiting.append(Call(number: number, done: done, deadline: deadline))
    }

    /// Removes a call that no longer waits. Nil if it has its result.
    mutating func remove(_ number: UInt64) -> Done? {
        let done = (waiting + served).first { $0.number == number }?.done
        waiting.removeAll { $0.number == number }
        served.removeAll { $0.number == number }
        return done
    }

    func isDue(_ now: ContinuousClock.Instant) -> Bool { !waiting.isEmpty && now >= notBefore }

    /// How long the poll thread may wait for records; at most `longest`.
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

    /// Records that the commit failed. Returns the calls that have waited too long; the others wait for the next
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
