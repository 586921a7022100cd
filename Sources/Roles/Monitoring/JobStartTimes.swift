internal import Clock
internal import Jobs
internal import Telemetry

/// When jobs were started, for jobs whose end has not been reported. A job that the worker gives up without an event
/// leaves its entry behind, so that only the newest entries are kept.
struct JobStartTimes {
    private var watches: [JobID: Stopwatch] = [:]
    /// The jobs in the order of their starts.
    private var order: [JobID] = []
    private static let maxCount = 1024

    mutating func start(_ job: JobID) {
        if watches.updateValue(Stopwatch(), forKey: job) == nil { order.append(job) }
        while order.count > Self.maxCount { watches[order.removeFirst()] = nil }
    }

    /// Removes the job.
    ///
    /// - Returns: the time since its start; nil if that is not known.
    mutating func end(_ job: JobID) -> Duration? {
        guard let watch = watches.removeValue(forKey: job) else { return nil }
        if let index = order.firstIndex(of: job) { order.remove(at: index) }
        return watch.elapsed
    }
}
