internal import Database
internal import Jobs
public import Manifests

extension LedgerStore {
    /// Every batch and every order that is none yet, as the status topic tells them; oldest first.
    public func batchStatuses() throws -> [BatchStatus] {
        try plannedBatches() + ordersWithoutBatch()
    }

    private func plannedBatches() throws -> [BatchStatus] {
        try connection.all(
            """
            SELECT b.batch, b.submitted_ms, b.recipe, b.lane, b.state, b.epoch, o.state, o.unchanged, o.failed_before,
                o.unreadable, b.accepted, b.open, b.catalogued, b.degraded, b.failed, b.cancelled
            FROM batches b LEFT JOIN orders o ON o.batch = b.batch ORDER BY b.id
            """
        ) { row in
            guard let batch = BatchID(bytes: row.blob(0)) else { throw LedgerError.damaged("a batch without an id") }
            return BatchStatus(
                batch: batch, submittedMilliseconds: row.integer(1), look: try recipe(row.integer(2)).look.description,
                lane: Lane(number: row.integer(3)),
                phase: Self.phase(batch: row.integer(4), isWaiting: !row.isNull(6) && row.integer(6) == 0),
                counts: JobCounts(row, from: 10),
                epoch: UInt32(clamping: row.integer(5)), unchanged: UInt64(clamping: row.integer(7)),
                failedBefore: UInt64(clamping: row.integer(8)), unreadable: UInt64(clamping: row.integer(9)))
        }
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
            SELECT o.record, o.state, o.problem, o.unchanged, o.failed_before, o.unreadable FROM orders o
            WHERE NOT EXISTS (SELECT 1 FROM batches b WHERE b.batch = o.batch) ORDER BY o.id
            """
        ) { row in
            let order = try order(row.blob(0))
            let phases: [BatchStatus.Phase] = [.planning, .running, .refused, .cancelled]
            return BatchStatus(
                batch: order.batch, submittedMilliseconds: order.submittedMilliseconds,
                look: order.hasOwnLook ? order.recipe.look.name : order.recipe.look.description, lane: order.lane,
                phase: phases[Int(clamping: row.integer(1)) & 3], unchanged: UInt64(clamping: row.integer(3)),
                failedBefore: UInt64(clamping: row.integer(4)), unreadable: UInt64(clamping: row.integer(5)),
                problem: row.isNull(2) ? nil : row.text(2))
        }
    }
}
