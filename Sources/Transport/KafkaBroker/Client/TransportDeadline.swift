internal import Synchronization

/// When a transport stops waiting for its cluster. All its operations share it, so that a process that has to end by then
/// does, however many of them are under way. Nothing is limited until it is set.
final class TransportDeadline: Sendable {
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    /// Sets it. A later one than was set before changes nothing.
    func set(_ deadline: ContinuousClock.Instant) { end.withLock { $0 = min($0 ?? deadline, deadline) } }

    var hasPassed: Bool { timeLeft.map { $0 <= .zero } ?? false }

    /// The time until then, never negative; nil before it is set.
    var timeLeft: Duration? { end.withLock { $0 }.map { max(.zero, $0 - .now) } }

    /// The instant, but none after the deadline.
    func limited(_ instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        end.withLock { $0 }.map { min($0, instant) } ?? instant
    }

    /// The time, but no more than is left.
    func limited(_ time: Duration) -> Duration { timeLeft.map { min($0, time) } ?? time }
}
