internal import Database
internal import Digest
internal import Jobs
internal import Manifests

extension JobsTable {
    /// Jobs to retry in the order of acceptance, one page at a time after a sequence number: failed ones, and those
    /// with failed frames; nil selects all reasons and batches.
    func retryable(after last: Int64, reason: FailureReason?, batch: Int64?) throws -> [Int64] {
        try connection.all(
            """
            SELECT seq FROM jobs WHERE \(Self.isRetryable) AND seq > ?1
                AND coalesce(reason, frames_reason) = coalesce(?2, reason, frames_reason)
                AND batch = coalesce(?3, batch) ORDER BY seq LIMIT \(Self.rowsPerTransaction)
            """, last, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    func retryable(_ address: JobAddress, reason: FailureReason?, batch: Int64?) throws -> Int64? {
        guard let root = try roots.knownNumber(of: address.file.root) else { return nil }
        return try connection.first(
            """
            SELECT seq FROM jobs WHERE root = ?1 AND path = ?2 AND id = ?3 AND \(Self.isRetryable)
                AND coalesce(reason, frames_reason) = coalesce(?4, reason, frames_reason) AND batch = coalesce(?5, batch)
            """, root, address.file.path.bytes, address.job.digest.bytes, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    /// Opens a job again in a new round, unless it is superseded, and returns how many changed. The reason of failed
    /// frames is kept.
    func restart(_ sequence: Int64) throws -> Int {
        try connection.run(
            """
            UPDATE jobs SET state = 0, round = \(Self.nextRound), sends = 0, reason = NULL, message = NULL,
                signal = NULL, \(Self.withoutRefusals)
            WHERE seq = ? AND NOT \(Self.isSuperseded)
            """, sequence)
    }
}
