internal import Synchronization

/// The deadline of a transport, shared by all its operations, so that a process can end in time however many of them
/// are under way. There is no limit until it is set.
final class TransportDeadline: Sendable {
    private let end = Mutex<ContinuousClock.Instant?>(nil)

    func set(_ deadline: ContinuousClock.Instant) { end.withLock { $0 = min($0 ?? deadline, deadline) } }

    var hasPassed: Bool { timeLeft.map { $0 <= .zero } ?? false }

    var timeLeft: Duration? { end.withLock { $0 }.map { max(.zero, $0 - .now) } }

    func limited(_ instant: ContinuousClock.Instant) -> ContinuousClock.Instant {
        end.withLock { $0 }.map { min($0, instant) } ?? instant
    }

    func limited(_ time: Duration) -> Duration { timeLeft.map { min($0, time) } ?? time }
}
