internal import Database
internal import Jobs
public import Manifests

extension LedgerReports {
    /// Calls `body` for every batch, oldest first.
    public func eachBatch(_ body: (BatchReport) throws -> Void) throws {
        try connection.each(
            """
            SELECT batch, submitted_ms, state, lane, originals, recipe, accepted, open, catalogued, degraded, failed,
                cancelled, reused FROM batches ORDER BY id
            """
        ) { row in
            try body(
                BatchReport(
                    batch: try BatchesTable.id(row, 0), submittedMilliseconds: row.integer(1),
                    state: BatchState(rawValue: Int(row.integer(2))) ?? .running, lane: Lane(number: row.integer(3)),
                    originals: OriginalsPolicy(rawValue: row.text(4)) ?? .reference,
                    recipe: try recipes.recipe(row.integer(5)), counts: JobCounts(row, from: 6),
                    reused: row.integer(12)))
        }
    }

    /// The published status of every batch, and of every order without a batch; oldest first.
    public func batchStatuses() throws -> [BatchStatus] { try plannedBatches() + ordersWithoutBatch() }

    private func plannedBatches() throws -> [BatchStatus] {
        try connection.all(
            """
            SELECT b.batch, b.submitted_ms, b.recipe, b.lane, b.state, b.epoch, o.state, o.unchanged, o.failed_before,
                o.unreadable, b.accepted, b.open, b.catalogued, b.degraded, b.failed, b.cancelled,
                o.links, o.missing, o.not_raw,
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.refusals > 0 AND j.state < 2), b.id, b.reused,
                (SELECT count(*) FROM jobs j
                    WHERE j.batch = b.id AND j.refusals > 0 AND j.state < 2 AND \(JobsTable.isUnseen))
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
                refused: UInt64(clamping: row.integer(19)), unseen: UInt64(clamping: row.integer(22)),
                refusal: row.integer(19) > 0 ? try refusal(inBatch: row.integer(20)) : nil,
                links: UInt64(clamping: row.integer(16)), missing: UInt64(clamping: row.integer(17)),
                notRaw: UInt64(clamping: row.integer(18)), reused: UInt64(clamping: row.integer(21)))
        }
    }

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
}
