internal import Clock
internal import Jobs
internal import Manifests
internal import Synchronization

/// The last attempts at jobs since this program started. Attempts at a job may fail for different reasons.
final class AttemptLog: Sendable {
    private struct State {
        var lines: [JobID: [String]] = [:]
        /// The oldest first.
        var order: [JobID] = []
    }

    private let state = Mutex(State())
    private static let maxJobs = 1000
    private static let maxLines = 10

    /// Records a failed attempt.
    ///
    /// - Parameter delay: time until the next attempt; nil for the last.
    func failed(_ job: JobID, _ failure: Failure, after delay: Duration?) {
        let signal = failure.signal.map { " (signal \($0))" } ?? ""
        let next = delay.map { "; tried again after \($0.wholeMilliseconds) ms" } ?? "; given up"
        let time = WallClock.text(milliseconds: WallClock.milliseconds)
        add("\(time) \(failure.reason.rawValue)\(signal): \(failure.message)\(next)", to: job)
    }

    private func add(_ line: String, to job: JobID) {
        state.withLock { state in
            if state.lines[job] == nil {
                state.order.append(job)
                if state.order.count > Self.maxJobs { state.lines[state.order.removeFirst()] = nil }
            }
            state.lines[job, default: []].append(line)
            if state.lines[job, default: []].count > Self.maxLines { state.lines[job]?.removeFirst() }
        }
    }

    /// The last lines of a job; nil if unknown.
    subscript(job: JobID) -> String? { state.withLock { $0.lines[job]?.joined(separator: "\n") } }
}
