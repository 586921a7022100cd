internal import Database
public import Jobs
public import Manifests

/// A batch for a report.
public struct BatchReport: Hashable, Sendable {
    public let batch: BatchID
    public let submittedMilliseconds: Int64
    public let state: BatchState
    public let lane: Lane
    public let originals: OriginalsPolicy
    public let recipe: Recipe
    public let counts: JobCounts
}

/// A failed job for a report.
public struct FailedJob: Hashable, Sendable {
    public let file: FileReference
    public let job: JobID
    public let batch: BatchID
    public let failure: Failure
    public let round: UInt32
    /// Renders started for it in its last round.
    public let attempts: UInt32
    /// True where the file was accepted in a newer state since: a retry leaves this one alone.
    public let isSuperseded: Bool
}

extension LedgerStore {
    /// All batches together.
    public func totals() throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches") { row in JobCounts(row, from: 0) } ?? JobCounts()
    }

    public func counts(of batch: BatchID) throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches WHERE batch = ?", batch.bytes) { row in
            JobCounts(row, from: 0)
        } ?? JobCounts()
    }

    /// Every batch, oldest first.
    public func eachBatch(_ body: (BatchReport) throws -> Void) throws {
        try connection.each(
            """
            SELECT batch, submitted_ms, state, lane, originals, recipe, accepted, open, catalogued, degraded, failed,
                cancelled FROM batches ORDER BY id
            """
        ) { row in
            guard let batch = BatchID(bytes: row.blob(0)) else { throw LedgerError.damaged("a batch without an id") }
            try body(
                BatchReport(
                    batch: batch, submittedMilliseconds: row.integer(1),
                    state: BatchState(rawValue: Int(row.integer(2))) ?? .running, lane: Lane(number: row.integer(3)),
                    originals: OriginalsPolicy(rawValue: row.text(4)) ?? .reference, recipe: try recipe(row.integer(5)),
                    counts: JobCounts(row, from: 6)))
        }
    }

    /// How many jobs failed, by reason; most first.
    public func failureCounts() throws -> [(reason: FailureReason, count: Int)] {
        try connection.all(
            "SELECT reason, count(*) FROM jobs WHERE state = 4 GROUP BY reason ORDER BY 2 DESC, 1"
        ) { (FailureReason(rawValue: $0.text(0)) ?? .internalError, Int($0.integer(1))) }
    }

    /// Every failed job, by reason, then in the order of acceptance; one in memory at a time.
    ///
    /// - Parameters:
    ///   - reason: only those that failed so; nil for all.
    ///   - batch: only those of this batch; nil for all.
    public func eachFailure(
        reason: FailureReason? = nil, batch: BatchID? = nil, _ body: (FailedJob) throws -> Void
    ) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, reason, message, signal, round, attempts,
                \(JobColumns.isSuperseded)
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE jobs.state = 4 AND (?1 IS NULL OR reason = ?1) AND (?2 IS NULL OR batches.batch = ?2)
            ORDER BY reason, seq
            """, reason?.rawValue, batch?.bytes
        ) { row in
            guard let path = RelativePath(bytes: row.blob(1)), let batch = BatchID(bytes: row.blob(3)),
                let failure = try failure(row, from: 4)
            else { throw LedgerError.damaged("a failed job without a path") }
            try body(
                FailedJob(
                    file: FileReference(root: try rootName(row.integer(0)), path: path), job: try jobID(row.blob(2)),
                    batch: batch, failure: failure, round: UInt32(clamping: row.integer(7)),
                    attempts: UInt32(clamping: row.integer(8)), isSuperseded: row.integer(9) != 0))
        }
    }

    private static let sums = """
        total(accepted), total(open), total(catalogued), total(degraded), total(failed), total(cancelled)
        """
}

extension JobCounts {
    /// Six columns in the order of the table of batches.
    init(_ row: borrowing Row, from first: Int32) {
        self.init(
            accepted: Int(row.integer(first)), open: Int(row.integer(first + 1)),
            catalogued: Int(row.integer(first + 2)), degraded: Int(row.integer(first + 3)),
            failed: Int(row.integer(first + 4)), cancelled: Int(row.integer(first + 5)))
    }
}
