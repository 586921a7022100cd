internal import Clock
internal import Jobs
internal import Memory
internal import Telemetry

/// Start times of running jobs. A job that ends without an event leaves its entry behind, so only the newest are kept.
struct JobStartTimes {
    private var watches = BoundedCache<JobID, Stopwatch>(maxCount: 1024)

    mutating func start(_ job: JobID) { watches[job] = Stopwatch() }

    /// Removes the job, and returns the time since its start, if known.
    mutating func end(_ job: JobID) -> Duration? {
        let watch = watches[job]
        watches[job] = nil
        return watch?.elapsed
    }
}
