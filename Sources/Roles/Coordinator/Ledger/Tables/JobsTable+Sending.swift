internal import Database
internal import Digest
internal import Jobs
internal import Manifests

extension JobsTable {
    func waiting(in batch: Int64, limit: Int) throws -> [WaitingJob] {
        try connection.all(
            """
            SELECT seq, round, refusals, \(Self.sourceColumns) FROM jobs
            WHERE batch = ? AND state = 0 ORDER BY seq LIMIT ?
            """, batch, limit
        ) { try waiting($0) }
    }

    /// A batch's jobs in the outbox for a file: at most one.
    func waiting(in batch: Int64, of file: FileReference) throws -> [WaitingJob] {
        guard let root = try roots.knownNumber(of: file.root) else { return [] }
        // The plus makes SQLite search by file and not by batch.
        return try connection.all(
            """
            SELECT seq, round, refusals, \(Self.sourceColumns) FROM jobs
            WHERE root = ? AND path = ? AND +batch = ? AND state = 0
            """, root, file.path.bytes, batch
        ) { try waiting($0) }
    }

    private func waiting(_ row: borrowing Row) throws -> WaitingJob {
        WaitingJob(
            sequence: row.integer(0), round: UInt32(clamping: row.integer(1)), refusals: Int(row.integer(2)),
            source: try source(row, from: 3))
    }

    func job(_ sequence: Int64) throws -> (batch: Int64, job: WaitingJob)? {
        try connection.first(
            "SELECT seq, round, refusals, \(Self.sourceColumns), batch FROM jobs WHERE seq = ?", sequence
        ) { row in
            let job = WaitingJob(
                sequence: row.integer(0), round: UInt32(clamping: row.integer(1)), refusals: Int(row.integer(2)),
                source: try source(row, from: 3))
            return (row.integer(14), job)
        }
    }

    /// Marks a job as sent, unless it changed since its record was made.
    func markSent(_ sequence: Int64, round: UInt32, epoch: UInt32) throws {
        try connection.run(
            """
            UPDATE jobs SET state = 1, sends = sends + 1 WHERE seq = ?1 AND state = 0 AND round = ?2
                AND (SELECT epoch FROM batches WHERE id = jobs.batch) = ?3
            """, sequence, round, epoch)
    }

    /// Marks the job of a record as sent, unless it is unknown or changed since the record was made.
    func markSent(_ job: Job, epoch: UInt32) throws {
        guard let root = try roots.knownNumber(of: job.source.raw.file.root) else { return }
        try connection.run(
            """
            UPDATE jobs SET state = 1, sends = sends + 1
            WHERE root = ?1 AND path = ?2 AND id = ?3 AND state = 0 AND round = ?4
                AND (SELECT epoch FROM batches WHERE id = jobs.batch) = ?5
            """, root, job.source.raw.file.path.bytes, job.id.digest.bytes, job.round, epoch)
    }

    func hasPublished() throws -> Bool {
        try connection.first("SELECT 1 FROM jobs WHERE state = 1 LIMIT 1") { _ in true } ?? false
    }

    /// Returns published jobs to the outbox, except refused ones that are not due yet. Returns how many; 0 when none is
    /// left.
    func republish(limit: Int) throws -> Int {
        try connection.run(
            "UPDATE jobs SET state = 0 WHERE seq IN (SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NULL LIMIT ?)",
            limit)
    }

    func lost(limit: Int, minSends: Int) throws -> [Int64] {
        try connection.all(
            "SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NULL AND sends >= ? LIMIT ?", minSends, limit
        ) { $0.integer(0) }
    }

    /// Returns a batch's published jobs to the outbox as if they were never sent, in transactions of bounded size.
    func takeBack(batch: Int64) throws {
        while true {
            let count = try connection.run(
                """
                UPDATE jobs SET state = 0, sends = 0, due_ms = NULL WHERE seq IN
                    (SELECT seq FROM jobs WHERE batch = ? AND state = 1 LIMIT \(Self.rowsPerTransaction))
                """, batch)
            if count == 0 { return }
        }
    }
}
