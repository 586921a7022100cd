internal import Database
public import Jobs

/// Pauses, resumes, cancels and retries batches.
///
/// Many jobs change in transactions of bounded size. The next pause, resume or start completes an interrupted change.
public struct BatchControl {
    private let connection: Connection
    private let batches: BatchesTable
    private let jobs: JobsTable

    init(_ connection: Connection, batches: BatchesTable, jobs: JobsTable) {
        self.connection = connection
        self.batches = batches
        self.jobs = jobs
    }

    /// Stops sending a batch's jobs and takes back unstarted ones: they wait in the outbox, and their records are out
    /// of date. A batch that is not running stays unchanged.
    ///
    /// - Throws: `LedgerError.unknownBatch`.
    public func pause(_ batch: BatchID) throws {
        let (number, state) = try find(batch)
        guard state == .running else { return }
        try batches.set(.paused, of: number, outdatesRecords: true)
        try jobs.takeBack(batch: number)
    }

    /// Sends a paused batch's jobs again. A batch that is not paused stays unchanged.
    ///
    /// - Throws: `LedgerError.unknownBatch`.
    public func resume(_ batch: BatchID) throws {
        let (number, state) = try find(batch)
        guard state == .paused else { return }
        try jobs.takeBack(batch: number)
        try batches.set(.running, of: number)
    }

    /// Cancels a batch's open jobs and accepts no more for it. A photo being rendered may still be catalogued. A job
    /// whose failed frames were being retried is degraded again, because the library has its other frames.
    ///
    /// - Returns: how many jobs were open.
    /// - Throws: `LedgerError.unknownBatch`.
    @discardableResult
    public func cancel(_ batch: BatchID) throws -> Int {
        let (number, state) = try find(batch)
        if state == .running || state == .paused {
            try batches.set(.cancelling, of: number, outdatesRecords: true)
        }
        return try state == .cancelled ? 0 : finishCancellation(number)
    }

    /// Completes cancellations that a crash interrupted.
    func finishCancellations() throws {
        for number in try batches.cancelling() { _ = try finishCancellation(number) }
    }

    private func finishCancellation(_ number: Int64) throws -> Int {
        let cancelled = try jobs.cancel(batch: number)
        try batches.set(.cancelled, of: number)
        return cancelled
    }

    /// Opens failed jobs again, with new attempts, and jobs with failed frames: workers find the photos of the other
    /// frames in the library and render the rest. A superseded job stays unchanged, because its file was converted in a
    /// newer state.
    ///
    /// - Returns: how many jobs were opened.
    /// - Throws: `LedgerError.unknownBatch`.
    public func retry(_ filter: RetryFilter = RetryFilter()) throws -> Int {
        let batch = try filter.batch.map { try find($0).number }
        guard filter.jobs.isEmpty else {
            return try connection.transaction {
                try filter.jobs.compactMap { try jobs.retryable($0, reason: filter.reason, batch: batch) }
                    .reduce(0) { try $0 + jobs.restart($1) }
            }
        }
        var opened = 0
        var last: Int64 = 0
        while true {
            let page = try jobs.retryable(after: last, reason: filter.reason, batch: batch)
            guard let end = page.last else { return opened }
            last = end
            opened += try connection.transaction {
                try page.reduce(0) { try $0 + jobs.restart($1) }
            }
        }
    }

    private func find(_ batch: BatchID) throws -> (number: Int64, state: BatchState) {
        guard let found = try batches.find(batch) else { throw LedgerError.unknownBatch }
        return found
    }
}
