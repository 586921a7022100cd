internal import Synchronization

/// Tells a role that makes progress from one that hangs. Each loop of the role says when it comes round, and by when it will
/// have come round again.
///
/// A loop that waits for a broker comes round all the same, because such waits have limits: a process that waits for a
/// broker is alive, and a new process would not be better off.
public final class Heartbeat: Sendable {
    /// A loop that did not come round in time.
    public struct Overdue: Hashable, Sendable {
        /// The loop's name.
        public let loop: String
        /// The time since it should have come round.
        public let time: Duration
    }

    private let limit: Duration
    /// When each loop has to have come round. Time in which the machine sleeps does not count.
    private let deadlines = Mutex<[String: SuspendingClock.Instant]>([:])

    /// - Parameter limit: the longest time for a round of a loop that does not say otherwise.
    public init(limit: Duration = .seconds(120)) { self.limit = limit }

    /// Reports that a loop came round.
    ///
    /// - Parameters:
    ///   - loop: its name, for people.
    ///   - extra: what the next round may take beyond the usual limit.
    public func beat(_ loop: String, extra: Duration = .zero) {
        let deadline = SuspendingClock.now + limit + extra
        deadlines.withLock { $0[loop] = deadline }
    }

    /// Reports that a loop has ended, or waits for work, which may take any time.
    public func rest(_ loop: String) { deadlines.withLock { _ = $0.removeValue(forKey: loop) } }

    /// The loop that is overdue the longest; nil while the role makes progress.
    public var overdue: Overdue? {
        let now = SuspendingClock.now
        let oldest = deadlines.withLock { deadlines in deadlines.min { $0.value < $1.value } }
        return oldest.flatMap { $0.value < now ? Overdue(loop: $0.key, time: now - $0.value) : nil }
    }

    /// Beats until the task is cancelled: it shows that the process's tasks run at all.
    public func run(every interval: Duration = .seconds(2)) async {
        while !Task.isCancelled {
            beat(Self.tasks)
            try? await Task.sleep(for: interval)
        }
        rest(Self.tasks)
    }

    private static let tasks = "tasks"
}

extension Heartbeat.Overdue: CustomStringConvertible {
    /// A sentence for people: `hangs: "merge" should have come round 3 min 20 s ago`.
    public var description: String { "hangs: \"\(loop)\" should have come round \(time.spoken) ago" }
}
