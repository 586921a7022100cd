internal import Broker
internal import Database
internal import Jobs

/// A job of the outbox, ready to be sent.
struct OutboxEntry: Hashable, Sendable {
    let sequence: Int64
    let job: Job
    let traceparent: String?
    /// The batch's, when it was read.
    let epoch: UInt32
}

extension LedgerStore {
    /// Jobs that are not sent yet, in the order they were accepted, of one batch: interactive ones first, none of a
    /// batch that is paused or being cancelled. Empty when all are sent.
    func outbox(limit: Int) throws -> [OutboxEntry] {
        let batches = try connection.all(
            "SELECT id FROM batches WHERE open > 0 AND state NOT IN (1, 2) ORDER BY lane, id"
        ) { $0.integer(0) }
        for number in batches {
            let entries = try outbox(of: number, limit: limit)
            if !entries.isEmpty { return entries }
        }
        return []
    }

    private func outbox(of number: Int64, limit: Int) throws -> [OutboxEntry] {
        guard let batch = try batchFacts(number) else { return [] }
        return try connection.all(
            """
            SELECT seq, round, \(JobColumns.source) FROM jobs
            WHERE batch = ? AND state = 0 ORDER BY seq LIMIT ?
            """, number, limit
        ) { row in
            OutboxEntry(
                sequence: row.integer(0),
                job: Job(
                    batch: batch.id, round: UInt32(clamping: row.integer(1)), source: try source(row, from: 2),
                    recipe: batch.recipe, lane: batch.lane, originals: batch.originals, engineNeeded: batch.engine),
                traceparent: batch.traceparent, epoch: batch.epoch)
        }
    }

    /// Marks the entries as sent. One that changed meanwhile (it was cancelled, paused, or closed by the
    /// manifest of an earlier sending) stays as it is.
    ///
    /// - Parameter positions: where they are now.
    func markPublished(_ entries: [OutboxEntry], at positions: [Position] = []) throws {
        try connection.transaction {
            try noteSent(positions)
            for entry in entries {
                try connection.run(
                    """
                    UPDATE jobs SET state = 1, sends = sends + 1 WHERE seq = ?1 AND state = 0 AND round = ?2
                        AND (SELECT epoch FROM batches WHERE id = jobs.batch) = ?3
                    """, entry.sequence, entry.job.round, entry.epoch)
            }
        }
    }

    private struct BatchFacts {
        let id: BatchID
        let recipe: Recipe
        let lane: Lane
        let originals: OriginalsPolicy
        let engine: UInt32
        let traceparent: String?
        let epoch: UInt32
    }

    private func batchFacts(_ number: Int64) throws -> BatchFacts? {
        try connection.first(
            "SELECT batch, recipe, lane, originals, engine, traceparent, epoch FROM batches WHERE id = ?", number
        ) { row in
            guard let id = BatchID(bytes: row.blob(0)) else { throw LedgerError.damaged("a batch without an id") }
            return BatchFacts(
                id: id, recipe: try recipe(row.integer(1)), lane: Lane(number: row.integer(2)),
                originals: OriginalsPolicy(rawValue: row.text(3)) ?? .reference,
                engine: UInt32(clamping: row.integer(4)), traceparent: row.isNull(5) ? nil : row.text(5),
                epoch: UInt32(clamping: row.integer(6)))
        }
    }
}
