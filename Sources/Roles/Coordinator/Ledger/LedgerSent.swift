internal import Broker
internal import Database
internal import Digest
internal import Jobs
internal import Records

/// A record of a topic of jobs, as the ledger compares it with its own.
struct SentJob: Sendable {
    let position: Position
    /// Nil where the record is none.
    let job: Job?
    let epoch: UInt32

    init(_ delivery: Delivery) {
        position = delivery.position
        job = try? Job(record: delivery.record.value ?? [])
        epoch = delivery.record.text(of: JobHeader.epoch).flatMap { UInt32($0) } ?? 0
    }
}

extension LedgerStore {
    /// By partition, the offset below which all that was sent is marked. None where that is not known.
    func sentOffsets(_ topic: String) throws -> [Int32: Int64] {
        let pairs = try connection.all("SELECT partition, next FROM sent_offsets WHERE topic = ?", topic) { row in
            (Int32(clamping: row.integer(0)), row.integer(1))
        }
        return Dictionary(pairs) { _, last in last }
    }

    /// Marks as sent what was found in a topic though it is in the outbox, too. What changed since stays as it is.
    func markFound(_ found: [SentJob]) throws {
        try connection.transaction {
            try noteSent(found.map(\.position))
            for record in found {
                guard let job = record.job, let root = try knownRoot(job.source.raw.file.root) else { continue }
                try connection.run(
                    """
                    UPDATE jobs SET state = 1, sends = sends + 1
                    WHERE root = ?1 AND path = ?2 AND id = ?3 AND state = 0 AND round = ?4
                        AND (SELECT epoch FROM batches WHERE id = jobs.batch) = ?5
                    """, root, job.source.raw.file.path.bytes, job.id.digest.bytes, job.round, record.epoch)
            }
        }
    }

    /// Whatever is below these positions is known. Part of a transaction.
    func noteSent(_ positions: [Position]) throws {
        let newest = Dictionary(positions.map { ($0.partition, $0.offset) }, uniquingKeysWith: max)
        for (place, offset) in newest {
            try connection.run(
                """
                INSERT INTO sent_offsets VALUES (?, ?, ?)
                ON CONFLICT(topic, partition) DO UPDATE SET next = excluded.next
                """, place.topic, place.partition, offset + 1)
        }
    }
}
