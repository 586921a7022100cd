internal import Clock
internal import Jobs
internal import Memory
internal import Telemetry

/// When jobs were started, for jobs whose end has not been reported. A job that the worker gives up without an event
/// leaves its entry behind, so that only the newest entries are kept.
struct JobStartTimes {
    private var watches = BoundedCache<JobID, Stopwatch>(maxCount: 1024)

    mutating func start(_ job: JobID) { watches[job] = Stopwatch() }

    /// Removes the job.
    ///
    /// - Returns: the time since its start; nil if that is not known.
    mutating func end(_ job: JobID) -> Duration? {
        let watch = watches[job]
        watches[job] = nil
        return watch?.elapsed
    }
}
