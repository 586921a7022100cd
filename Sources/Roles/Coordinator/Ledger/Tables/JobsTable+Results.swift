internal import Database
internal import Digest
internal import Jobs
internal import Manifests

extension JobsTable {
    // MARK: Refusals

    /// Reopens a job whose photo the library refused, in a new round, because the refusal is not the file's fault.
    ///
    /// - Parameter due: when to send it, in milliseconds since 1970.
    func refuse(_ sequence: Int64, _ refusal: Refusal, due: Int64) throws {
        try connection.run(
            """
            UPDATE jobs SET state = 1, round = \(Self.nextRound), sends = 0, refusals = refusals + 1, refusal = ?,
                refusal_message = ?, due_ms = ? WHERE seq = ?
            """, refusal.code, refusal.message, due, sequence)
    }

    func failRefused(_ sequence: Int64, _ refusal: Refusal, _ failure: Failure, _ result: JobResult) throws {
        try connection.run(
            "UPDATE jobs SET refusals = refusals + 1, refusal = ?, refusal_message = ? WHERE seq = ?", refusal.code,
            refusal.message, sequence)
        try fail(sequence, failure)
        try note(result, of: sequence)
    }

    /// Puts due refused jobs into the outbox, and returns how many; 0 when none is left.
    func releaseRefused(now: Int64, limit: Int) throws -> Int {
        try connection.run(
            """
            UPDATE jobs SET state = 0, due_ms = NULL WHERE seq IN
                (SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NOT NULL AND due_ms <= ? LIMIT ?)
            """, now, limit)
    }

    /// When the next refused job is due, in milliseconds since 1970.
    func nextRelease() throws -> Int64? {
        try connection.first(
            "SELECT due_ms FROM jobs WHERE state = 1 AND due_ms IS NOT NULL ORDER BY due_ms LIMIT 1"
        ) { $0.integer(0) }
    }

    static let withoutRefusals =
        "refusals = 0, refusal = NULL, refusal_message = NULL, due_ms = NULL"

    // MARK: Removals

    /// Records that the photos of catalogued jobs were removed from the library, within a transaction.
    func noteRemoved(_ photos: [RemovedPhoto]) throws {
        // Compared as text: a list of texts is one value of a statement, in every database.
        let gone = try photos.compactMap { photo in
            try recipes.knownNumber(of: photo.recipe).map { "\"\($0) \(photo.asset)\"" }
        }
        if gone.isEmpty { return }
        let list = "[\(gone.joined(separator: ","))]"
        let isGone = "recipe || ' ' || lower(hex(asset)) IN (SELECT value FROM json_each(?))"
        try connection.run(
            "UPDATE jobs SET removed = 1 WHERE state IN (2, 3) AND removed = 0 AND \(isGone)", list)
        // A job whose failed frames are being retried has no photos to return to.
        try connection.run(
            """
            UPDATE jobs SET frames_reason = NULL, frames_message = NULL WHERE state < 2 AND frames_message IS NOT NULL
                AND \(isGone)
            """, list)
    }

    /// Records that the library deleted paths of catalogued jobs, within a transaction.
    func noteForgotten(_ files: [FileReference]) throws {
        for file in files {
            guard let root = try roots.knownNumber(of: file.root) else { continue }
            try connection.run(
                "UPDATE jobs SET removed = 1 WHERE root = ? AND path = ? AND state IN (2, 3)", root, file.path.bytes)
        }
    }

    // MARK: Ending

    func progress(of job: JobID, _ file: FileReference) throws -> JobProgress? {
        guard let root = try roots.knownNumber(of: file.root) else { return nil }
        return try connection.first(
            """
            SELECT seq, state, round, refusals, frames_message IS NOT NULL FROM jobs
            WHERE root = ? AND path = ? AND id = ?
            """, root, file.path.bytes, job.digest.bytes
        ) { row in
            JobState(rawValue: Int(row.integer(1))).map { state in
                JobProgress(
                    sequence: row.integer(0), state: state, round: UInt32(clamping: row.integer(2)),
                    refusals: Int(row.integer(3)), hasPhotos: row.integer(4) != 0)
            }
        } ?? nil
    }

    func originals(of sequence: Int64) throws -> OriginalsPolicy {
        try connection.first(
            "SELECT b.originals FROM jobs j JOIN batches b ON b.id = j.batch WHERE j.seq = ?", sequence
        ) { OriginalsPolicy(rawValue: $0.text(0)) ?? .reference } ?? .reference
    }

    func end(_ sequence: Int64, as state: JobState, _ result: JobResult) throws {
        switch result.outcome {
        case .refused: break
        case .failed(let failure):
            try fail(sequence, failure)
            try note(result, of: sequence)
        case .catalogued(let asset, let degraded):
            try connection.run(
                """
                UPDATE jobs SET state = ?, reason = NULL, message = ?, signal = NULL, asset = ?, frames_reason = ?,
                    frames_message = ?, without_profile = ? WHERE seq = ?
                """, state.rawValue, degraded, asset.bytes, result.frameFailure?.rawValue,
                result.frameFailure == nil ? nil : degraded ?? "", result.cameraWithoutProfile, sequence)
            try note(result, of: sequence)
        }
    }

    private func note(_ result: JobResult, of sequence: Int64) throws {
        try connection.run(
            "UPDATE jobs SET round = max(round, ?), attempts = ?, finished_ms = ? WHERE seq = ?", result.round,
            result.attempts, result.finishedMilliseconds, sequence)
    }

    /// Fails a job. A job whose failed frames were retried is degraded as before, and its message adds the failed
    /// retry.
    func fail(_ sequence: Int64, _ failure: Failure) throws {
        try connection.run(
            """
            UPDATE jobs SET state = 4, reason = ?2, message = ?3, signal = ?4 WHERE seq = ?1 AND frames_message IS NULL
            """, sequence, failure.reason.rawValue, failure.message, failure.signal)
        try connection.run(
            """
            UPDATE jobs SET state = 3, message = frames_message || ' Tried again: ' || ?2
            WHERE seq = ?1 AND frames_message IS NOT NULL
            """, sequence, failure.message)
    }

    /// Cancels a batch's open jobs, in transactions of bounded size, and returns their number.
    func cancel(batch: Int64) throws -> Int {
        var cancelled = 0
        for state in [JobState.accepted, .published] {
            while true {
                let count = try connection.run(
                    """
                    UPDATE jobs SET state = CASE WHEN frames_message IS NULL THEN 5 ELSE 3 END, message = frames_message WHERE seq IN
                        (SELECT seq FROM jobs WHERE batch = ? AND state = \(state.rawValue)
                            LIMIT \(Self.rowsPerTransaction))
                    """, batch)
                cancelled += count
                if count == 0 { break }
            }
        }
        return cancelled
    }
}
