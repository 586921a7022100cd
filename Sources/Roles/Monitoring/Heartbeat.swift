internal import Clock
internal import Synchronization
internal import Telemetry

/// Distinguishes a live process from one whose tasks all hang, by a task that only notes the time.
///
/// It depends on neither the broker nor the storage: a process that waits for those is alive, and a new process would
/// not be better off.
public final class Heartbeat: Sendable {
    private let sinceLastBeat = Mutex(Stopwatch())
    private let limit: Duration

    /// - Parameter limit: the longest pause between two beats of a live process.
    public init(limit: Duration = .seconds(60)) { self.limit = limit }

    /// Beats until the task is cancelled.
    public func run(every interval: Duration = .seconds(2)) async {
        while !Task.isCancelled {
            beat()
            try? await Task.sleep(for: interval)
        }
    }

    func beat() { sinceLastBeat.withLock { $0 = Stopwatch() } }

    /// The time since the last beat if that is over the limit; nil for a live process.
    var silence: Duration? {
        let elapsed = sinceLastBeat.withLock { $0.elapsed }
        return elapsed > limit ? elapsed : nil
    }
}
