internal import Database
public import Jobs
internal import Manifests

extension LedgerReports {
    /// Whether a file of the root was accepted, now or earlier.
    public func hasJobs(of root: RootName) throws -> Bool {
        guard let number = try roots.knownNumber(of: root) else { return false }
        return try connection.first("SELECT 1 FROM jobs WHERE root = ? LIMIT 1", number) { _ in true } ?? false
    }

    // MARK: Refusals

    /// Refused open jobs of all batches.
    public func refusedCount() throws -> Int { try count(JobsTable.isRefused) }

    /// Open jobs of all batches that were refused because a worker does not see their RAW.
    public func unseenCount() throws -> Int { try count("\(JobsTable.isRefused) AND \(JobsTable.isUnseen)") }

    private func count(_ condition: String) throws -> Int {
        try connection.first("SELECT count(*) FROM jobs WHERE \(condition)") { Int($0.integer(0)) } ?? 0
    }

    /// Calls `body` for every refused open job, or those of one batch, with one in memory at a time: first those whose
    /// photo the library refused, batch by batch, then those whose RAW a worker does not see.
    public func eachRefusal(of batch: BatchID? = nil, _ body: (RefusedJob) throws -> Void) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, refusal, refusal_message, refusals
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE \(JobsTable.isRefused) AND batches.batch = coalesce(?1, batches.batch)
            ORDER BY \(JobsTable.isUnseen), jobs.batch, seq
            """, batch?.bytes
        ) { row in
            try body(
                RefusedJob(
                    file: try file(row, at: 0), job: try JobsTable.id(row.blob(2)), batch: try BatchesTable.id(row, 3),
                    refusal: Refusal(code: row.text(4), message: row.text(5)), count: Int(row.integer(6))))
        }
    }

    // MARK: Degraded photos

    /// Calls `body` for every job whose photo is degraded, or those of one batch, in the order of acceptance, with one
    /// in memory at a time.
    public func eachDegraded(of batch: BatchID? = nil, _ body: (DegradedJob) throws -> Void) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, message, \(JobsTable.isRetryable) AND NOT \(JobsTable.isSuperseded)
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE jobs.state = 3 AND batches.batch = coalesce(?1, batches.batch) ORDER BY seq
            """, batch?.bytes
        ) { row in
            try body(
                DegradedJob(
                    file: try file(row, at: 0), job: try JobsTable.id(row.blob(2)), batch: try BatchesTable.id(row, 3),
                    cause: row.text(4), isRetryable: row.integer(5) != 0))
        }
    }

    func file(_ row: borrowing Row, at column: Int32) throws -> FileReference {
        guard let path = RelativePath(bytes: row.blob(column + 1)) else {
            throw LedgerError.damaged("a job without a path")
        }
        return FileReference(root: try roots.name(row.integer(column)), path: path)
    }

    // MARK: Failures

    /// The number of failed jobs by reason, the most frequent first.
    public func failureCounts() throws -> [(reason: FailureReason, count: Int)] {
        try connection.all(
            "SELECT reason, count(*) FROM jobs WHERE state = 4 GROUP BY reason ORDER BY 2 DESC, 1"
        ) { (FailureReason(rawValue: $0.text(0)) ?? .internalError, Int($0.integer(1))) }
    }

    /// The jobs that a retry opens, by reason, the most frequent first.
    public func retryableJobs() throws -> [RetryableJobs] {
        try connection.all(
            """
            SELECT cause, count(*) FILTER (WHERE failed > 0), count(*) FILTER (WHERE lacking > 0) FROM (
                SELECT coalesce(reason, frames_reason) AS cause, count(*) FILTER (WHERE state = 4) AS failed,
                    count(*) FILTER (WHERE state = 3) AS lacking
                FROM jobs WHERE \(JobsTable.isRetryable) AND NOT \(JobsTable.isSuperseded) GROUP BY 1, root, path
            ) AS files GROUP BY cause ORDER BY count(*) DESC, cause
            """
        ) { row in
            let (text, failed, lackingFrames) = (row.text(0), Int(row.integer(1)), Int(row.integer(2)))
            let reason = text.isEmpty ? nil : FailureReason(rawValue: text) ?? .internalError
            return RetryableJobs(reason: reason, failed: failed, lackingFrames: lackingFrames)
        }
    }

    /// Calls `body` for every failed job, or those of one reason and batch, by reason, then by file, with one in memory
    /// at a time.
    public func eachFailure(
        reason: FailureReason? = nil, batch: BatchID? = nil, _ body: (FailedJob) throws -> Void
    ) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, reason, message, signal, round, attempts,
                \(JobsTable.isSuperseded)
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE jobs.state = 4 AND reason = coalesce(?1, reason) AND batches.batch = coalesce(?2, batches.batch)
            ORDER BY reason, root, path, seq
            """, reason?.rawValue, batch?.bytes
        ) { row in
            guard let path = RelativePath(bytes: row.blob(1)), let failure = try JobsTable.failure(row, from: 4) else {
                throw LedgerError.damaged("a failed job without a path")
            }
            try body(
                FailedJob(
                    file: FileReference(root: try roots.name(row.integer(0)), path: path),
                    job: try JobsTable.id(row.blob(2)), batch: try BatchesTable.id(row, 3), failure: failure,
                    round: UInt32(clamping: row.integer(7)), attempts: UInt32(clamping: row.integer(8)),
                    isSuperseded: row.integer(9) != 0))
        }
    }
}
