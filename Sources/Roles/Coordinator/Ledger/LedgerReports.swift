internal import Database
internal import Digest
public import Jobs
public import Manifests

/// A batch for a report.
public struct BatchReport: Hashable, Sendable {
    /// The batch's id.
    public let batch: BatchID
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64
    /// Whether its jobs are sent.
    public let state: BatchState
    /// Whether its jobs overtake others.
    public let lane: Lane
    /// What happens to its RAWs.
    public let originals: OriginalsPolicy
    /// How its RAWs are converted.
    public let recipe: Recipe
    /// Its jobs by state.
    public let counts: JobCounts
}

/// A failed job for a report.
public struct FailedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// Why it failed.
    public let failure: Failure
    /// How often it was retried.
    public let round: UInt32
    /// Renders started for it in its last round.
    public let attempts: UInt32
    /// True if the file was accepted in a newer state since: a retry skips this job.
    public let isSuperseded: Bool
}

/// A job whose photo the library refused, and which is open again.
public struct RefusedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// Why the library refused it the last time.
    public let refusal: Refusal
    /// How often it did since the last fresh start.
    public let count: Int
}

/// A job whose photo is in the library, with colours that cannot be trusted.
public struct DegradedJob: Hashable, Sendable {
    /// The RAW.
    public let file: FileReference
    /// The job's id.
    public let job: JobID
    /// The batch that it belongs to.
    public let batch: BatchID
    /// Why the colours cannot be trusted.
    public let cause: String
}

/// A source or a file that an order names and that is no job: it is not there, cannot be read, or is a link.
public struct OrderProblem: Hashable, Sendable {
    /// The batch of the order.
    public let batch: BatchID
    /// Absolute, on the coordinator's machine.
    public let path: [UInt8]
    /// What is wrong, and what to do.
    public let message: String
}

/// Reads batches and jobs for people and programs. Writes nothing.
public struct LedgerReports {
    private let connection: Connection
    private let roots: RootsTable
    private let recipes: RecipesTable

    init(_ connection: Connection, roots: RootsTable, recipes: RecipesTable) {
        self.connection = connection
        self.roots = roots
        self.recipes = recipes
    }

    // MARK: Counts

    /// The jobs of all batches by state.
    public func totals() throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches") { row in JobCounts(row, from: 0) } ?? JobCounts()
    }

    /// The jobs of a batch by state; zero for an unknown batch.
    public func counts(of batch: BatchID) throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches WHERE batch = ?", batch.bytes) { row in
            JobCounts(row, from: 0)
        } ?? JobCounts()
    }

    private static let sums = """
        total(accepted), total(open), total(catalogued), total(degraded), total(failed), total(cancelled)
        """

    /// True while operators have paused everything.
    public func isPaused() throws -> Bool { try OperatorTable(connection).current().isPaused }

    // MARK: Batches

    /// Calls `body` for every batch, oldest first.
    public func eachBatch(_ body: (BatchReport) throws -> Void) throws {
        try connection.each(
            """
            SELECT batch, submitted_ms, state, lane, originals, recipe, accepted, open, catalogued, degraded, failed,
                cancelled FROM batches ORDER BY id
            """
        ) { row in
            try body(
                BatchReport(
                    batch: try BatchesTable.id(row, 0), submittedMilliseconds: row.integer(1),
                    state: BatchState(rawValue: Int(row.integer(2))) ?? .running, lane: Lane(number: row.integer(3)),
                    originals: OriginalsPolicy(rawValue: row.text(4)) ?? .reference,
                    recipe: try recipes.recipe(row.integer(5)), counts: JobCounts(row, from: 6)))
        }
    }

    /// Every batch, and every order that has no batch yet, as the status topic shows them; oldest first.
    public func batchStatuses() throws -> [BatchStatus] { try plannedBatches() + ordersWithoutBatch() }

    private func plannedBatches() throws -> [BatchStatus] {
        try connection.all(
            """
            SELECT b.batch, b.submitted_ms, b.recipe, b.lane, b.state, b.epoch, o.state, o.unchanged, o.failed_before,
                o.unreadable, b.accepted, b.open, b.catalogued, b.degraded, b.failed, b.cancelled,
                o.links, o.missing, o.not_raw,
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.refusals > 0 AND j.state < 2), b.id
            FROM batches b LEFT JOIN orders o ON o.batch = b.batch ORDER BY b.id
            """
        ) { row in
            BatchStatus(
                batch: try BatchesTable.id(row, 0), submittedMilliseconds: row.integer(1),
                look: try recipes.recipe(row.integer(2)).look.description, lane: Lane(number: row.integer(3)),
                phase: Self.phase(batch: row.integer(4), isWaiting: !row.isNull(6) && row.integer(6) == 0),
                counts: JobCounts(row, from: 10),
                epoch: UInt32(clamping: row.integer(5)), unchanged: UInt64(clamping: row.integer(7)),
                failedBefore: UInt64(clamping: row.integer(8)), unreadable: UInt64(clamping: row.integer(9)),
                refused: UInt64(clamping: row.integer(19)),
                refusal: row.integer(19) > 0 ? try refusal(inBatch: row.integer(20)) : nil,
                links: UInt64(clamping: row.integer(16)), missing: UInt64(clamping: row.integer(17)),
                notRaw: UInt64(clamping: row.integer(18)))
        }
    }

    /// Why the library refused the photo of one of a batch's open jobs.
    private func refusal(inBatch number: Int64) throws -> Refusal? {
        try connection.first(
            """
            SELECT refusal, refusal_message FROM jobs WHERE batch = ? AND refusals > 0 AND state < 2 ORDER BY seq LIMIT 1
            """, number
        ) { Refusal(code: $0.text(0), message: $0.text(1)) }
    }

    private static func phase(batch state: Int64, isWaiting: Bool) -> BatchStatus.Phase {
        switch BatchState(rawValue: Int(state)) ?? .running {
        case .running: isWaiting ? .planning : .running
        case .paused: .paused
        case .cancelling, .cancelled: .cancelled
        }
    }

    private func ordersWithoutBatch() throws -> [BatchStatus] {
        try connection.all(
            """
            SELECT o.record, o.state, o.problem, o.unchanged, o.failed_before, o.unreadable, o.links, o.missing,
                o.not_raw FROM orders o
            WHERE NOT EXISTS (SELECT 1 FROM batches b WHERE b.batch = o.batch) ORDER BY o.id
            """
        ) { row in
            let order = try OrdersTable.order(row.blob(0))
            let phases: [BatchStatus.Phase] = [.planning, .running, .refused, .cancelled]
            return BatchStatus(
                batch: order.batch, submittedMilliseconds: order.submittedMilliseconds,
                look: order.hasOwnLook ? order.recipe.look.name : order.recipe.look.description, lane: order.lane,
                phase: phases[Int(clamping: row.integer(1)) & 3], unchanged: UInt64(clamping: row.integer(3)),
                failedBefore: UInt64(clamping: row.integer(4)), unreadable: UInt64(clamping: row.integer(5)),
                problem: row.isNull(2) ? nil : row.text(2), links: UInt64(clamping: row.integer(6)),
                missing: UInt64(clamping: row.integer(7)), notRaw: UInt64(clamping: row.integer(8)))
        }
    }

    // MARK: Refusals

    /// Open jobs of all batches whose photo the library refused.
    public func refusedCount() throws -> Int {
        try connection.first("SELECT count(*) FROM jobs WHERE refusals > 0 AND state < 2") { Int($0.integer(0)) } ?? 0
    }

    /// Calls `body` for every open job whose photo the library refused, batch by batch, with one in memory at a time.
    public func eachRefusal(_ body: (RefusedJob) throws -> Void) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, refusal, refusal_message, refusals
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE refusals > 0 AND jobs.state < 2 ORDER BY jobs.batch, seq
            """
        ) { row in
            try body(
                RefusedJob(
                    file: try file(row, at: 0), job: try JobsTable.id(row.blob(2)), batch: try BatchesTable.id(row, 3),
                    refusal: Refusal(code: row.text(4), message: row.text(5)), count: Int(row.integer(6))))
        }
    }

    // MARK: Degraded photos and problems of plans

    /// Calls `body` for every job whose photo is degraded, in the order of acceptance, with one in memory at a time.
    public func eachDegraded(_ body: (DegradedJob) throws -> Void) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, message FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE jobs.state = 3 ORDER BY seq
            """
        ) { row in
            try body(
                DegradedJob(
                    file: try file(row, at: 0), job: try JobsTable.id(row.blob(2)), batch: try BatchesTable.id(row, 3),
                    cause: row.text(4)))
        }
    }

    /// Calls `body` for what the plans of orders left out or could not read, batch by batch. Of very many the first are
    /// kept.
    public func eachProblem(_ body: (OrderProblem) throws -> Void) throws {
        try connection.each("SELECT batch, path, message FROM problems ORDER BY batch, path") { row in
            try body(OrderProblem(batch: try BatchesTable.id(row, 0), path: row.blob(1), message: row.text(2)))
        }
    }

    private func file(_ row: borrowing Row, at column: Int32) throws -> FileReference {
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

    /// Calls `body` for every failed job, by reason, then in the order of acceptance, with one in memory at a time.
    ///
    /// - Parameters:
    ///   - reason: only jobs that failed for this reason; nil for all.
    ///   - batch: only jobs of this batch; nil for all.
    public func eachFailure(
        reason: FailureReason? = nil, batch: BatchID? = nil, _ body: (FailedJob) throws -> Void
    ) throws {
        try connection.each(
            """
            SELECT root, path, jobs.id, batches.batch, reason, message, signal, round, attempts,
                \(JobsTable.isSuperseded)
            FROM jobs JOIN batches ON batches.id = jobs.batch
            WHERE jobs.state = 4 AND (?1 IS NULL OR reason = ?1) AND (?2 IS NULL OR batches.batch = ?2)
            ORDER BY reason, seq
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

    // MARK: Sums

    /// Counts every job and compares that with the counts of the batches. Takes a second for a million jobs.
    ///
    /// - Returns: one sentence for each difference; nothing if every accepted job is in exactly one state.
    public func audit() throws -> [String] {
        var complaints = try connection.all(
            """
            SELECT hex(batch), accepted, open, catalogued, degraded, failed, cancelled,
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state < 2),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 2),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 3),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 4),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 5)
            FROM batches b
            """
        ) { row in Self.complaint(row) }.compactMap { $0 }
        let totals = try totals()
        if !totals.isBalanced { complaints.append("the batches do not add up: \(totals)") }
        return complaints
    }

    private static func complaint(_ row: borrowing Row) -> String? {
        let stored = (2...6).map { row.integer($0) }
        let counted = (7...11).map { row.integer($0) }
        // A job that a later batch accepted again is still counted where it ended before.
        let agrees = stored[0] == counted[0] && zip(stored, counted).allSatisfy { $0 >= $1 }
        guard !agrees || row.integer(1) != stored.reduce(0, +) else { return nil }
        return "batch \(row.text(0)): says \(stored) of \(row.integer(1)), counted \(counted)"
    }
}

extension JobCounts {
    /// Decodes six columns in the order of the table `batches`.
    fileprivate init(_ row: borrowing Row, from first: Int32) {
        self.init(
            accepted: Int(row.integer(first)), open: Int(row.integer(first + 1)),
            catalogued: Int(row.integer(first + 2)), degraded: Int(row.integer(first + 3)),
            failed: Int(row.integer(first + 4)), cancelled: Int(row.integer(first + 5)))
    }
}
