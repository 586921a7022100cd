package import Worker

/// Follows the runs of a library: beside what is reported of one run, what its worker does, and when a run begins.
package protocol RunObserver: RunReporter {
    /// The worker of the run says what it does.
    func update(_ event: WorkerEvent)

    /// The library has the photos of a job, or the job failed.
    func finished(_ job: FinishedJob)

    /// A new run begins: counts start anew.
    func began()

    /// The states of batches changed.
    func batchesChanged()

    /// Requests that were planned since the run began.
    var planCount: Int { get }
}
