internal import Synchronization

/// Detects hung loops. Each loop of a role reports every round, and a deadline for the next one. Waits for a broker are
/// bounded, so a loop that waits for one still beats: restarting the process would not help it.
public final class Heartbeat: Sendable {
    /// A loop that missed its deadline.
    public struct Overdue: Hashable, Sendable {
        /// The loop's name.
        public let loop: String
        /// Time since the deadline.
        public let time: Duration
    }

    private let limit: Duration
    /// Deadline of each loop. Time in which the machine is suspended does not count.
    private let deadlines = Mutex<[String: SuspendingClock.Instant]>([:])

    /// - Parameter limit: longest time for a round, unless `beat` extends it.
    public init(limit: Duration = .seconds(120)) { self.limit = limit }

    /// Reports a completed round. `extra` extends the limit for the next one.
    public func beat(_ loop: String, extra: Duration = .zero) {
        let deadline = SuspendingClock.now + limit + extra
        deadlines.withLock { $0[loop] = deadline }
    }

    /// Reports that a loop has ended, or waits for work without a limit.
    public func rest(_ loop: String) { deadlines.withLock { _ = $0.removeValue(forKey: loop) } }

    /// The loop that is overdue the longest; nil if all make progress.
    public var overdue: Overdue? {
        let now = SuspendingClock.now
        let oldest = deadlines.withLock { deadlines in deadlines.min { $0.value < $1.value } }
        return oldest.flatMap { $0.value < now ? Overdue(loop: $0.key, time: now - $0.value) : nil }
    }

    /// Beats until the task is cancelled, to show that the process's tasks run at all.
    public func run(every interval: Duration = .seconds(2)) async {
        await Periodic.run(every: interval) {
            beat(Self.tasks)
        }
        rest(Self.tasks)
    }

    private static let tasks = "tasks"
}

extension Heartbeat.Overdue: CustomStringConvertible {
    /// For messages: `hangs: "merge" is 3 min 20 s overdue`.
    public var description: String { "hangs: \"\(loop)\" is \(time.spoken) overdue" }
}
