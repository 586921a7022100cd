internal import Clock
internal import Synchronization
internal import Telemetry

/// Tells a process that is alive from one whose tasks all stand still: a task that only notes the time. It asks neither
/// the broker nor the storage: a process that waits for those is alive, and a new one would not be better off.
public final class Heartbeat: Sendable {
    private let beaten = Mutex(Stopwatch())
    private let limit: Duration

    /// - Parameter limit: silence longer than this means that nothing runs any more.
    public init(limit: Duration = .seconds(60)) { self.limit = limit }

    /// Beats until the task is cancelled.
    public func run(every pause: Duration = .seconds(2)) async {
        while !Task.isCancelled {
            beat()
            try? await Task.sleep(for: pause)
        }
    }

    func beat() { beaten.withLock { $0 = Stopwatch() } }

    /// How long there was no beat, where that is too long.
    var silence: Duration? {
        let elapsed = beaten.withLock { $0.elapsed }
        return elapsed > limit ? elapsed : nil
    }
}
