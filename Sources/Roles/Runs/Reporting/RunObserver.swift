package import Worker

/// Follows the runs of a library: their reports, their workers' events, and their starts.
package protocol RunObserver: RunReporter {
    func update(_ event: WorkerEvent)

    /// The library has merged the job's manifest.
    func finished(_ job: FinishedJob)

    /// A run begins: its counts start at zero.
    func began()

    func batchesChanged()
}
