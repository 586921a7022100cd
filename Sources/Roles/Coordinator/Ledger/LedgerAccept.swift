internal import Database
internal import Digest
public import Jobs

extension LedgerStore {
    /// What would be done with each candidate. Writes nothing.
    public func plan(
        _ candidates: [Candidate], recipe: Recipe, originals: OriginalsPolicy = .reference
    ) throws -> [PlanEntry] {
        let number = try knownRecipe(recipe)
        return try candidates.map { try plan($0, recipe: number, originals: originals, batch: nil).entry }
    }

    /// Accepts the candidates: those to be converted are open jobs in the outbox when this returns, those that cannot
    /// be read are failed ones, all of it or none. Doing it again changes nothing.
    ///
    /// - Throws: `LedgerError.batchCancelled`, beside what the database throws.
    public func accept(_ candidates: [Candidate], for submission: Submission) throws -> [PlanEntry] {
        try connection.transaction {
            let recipe = try recipeNumber(submission.recipe)
            let known = try batch(submission.batch)?.number
            // Found open, or made, when the first job needs it.
            var batch: Int64?
            return try candidates.map { candidate in
                let (entry, same) = try plan(
                    candidate, recipe: recipe, originals: submission.originals, batch: known ?? batch)
                guard Self.isWritten(entry.planClass, same: same) else { return entry }
                let number = if let batch { batch } else { try batchNumber(submission) }
                batch = number
                if let same {
                    try acceptAgain(same, batch: number)
                } else {
                    try insert(entry, batch: number, recipe: recipe)
                }
                return entry
            }
        }
    }

    /// A file that cannot be read and has a job already keeps that job's end.
    private static func isWritten(_ planClass: PlanClass, same: KnownJob?) -> Bool {
        if case .unreadable = planClass { return same == nil }
        return planClass.isSubmitted
    }

    private func plan(
        _ candidate: Candidate, recipe: Int64?, originals: OriginalsPolicy, batch: Int64?
    ) throws -> (entry: PlanEntry, same: KnownJob?) {
        let known = try knownJobs(candidate.found.source.raw.file)
        let planClass = Classification.of(
            candidate, known: known, recipe: recipe, originals: originals, batch: batch)
        let entry = PlanEntry(source: candidate.found.source, job: candidate.job, planClass: planClass)
        return (entry, known.first { $0.id == candidate.job })
    }

    /// The file's jobs, oldest first.
    private func knownJobs(_ file: FileReference) throws -> [KnownJob] {
        guard let root = try knownRoot(file.root) else { return [] }
        return try connection.all(
            """
            SELECT seq, id, batch, state, finished_ms, recipe, reason, message, signal,
                (SELECT originals FROM batches WHERE batches.id = jobs.batch), \(JobColumns.source)
            FROM jobs WHERE root = ? AND path = ? ORDER BY seq
            """, root, file.path.bytes
        ) { row in
            guard let state = JobState(rawValue: Int(row.integer(3))) else {
                throw LedgerError.damaged("a job's state")
            }
            return KnownJob(
                sequence: row.integer(0), id: try jobID(row.blob(1)), batch: row.integer(2), state: state,
                finishedMilliseconds: row.integer(4), recipe: row.integer(5),
                originals: OriginalsPolicy(rawValue: row.text(9)) ?? .reference,
                look: try recipe(row.integer(5)).look.name, source: try source(row, from: 10),
                failure: try failure(row, from: 6))
        }
    }

    private func insert(_ entry: PlanEntry, batch: Int64, recipe: Int64) throws {
        let source = entry.source
        let failure = entry.planClass.failure(of: source)
        try connection.run(
            """
            INSERT INTO jobs(id, batch, recipe, state, reason, message, \(JobColumns.source))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, entry.job.digest.bytes, batch, recipe, (failure == nil ? JobState.accepted : .failed).rawValue,
            failure?.reason.rawValue, failure?.message,
            rootNumber(source.raw.file.root), source.raw.file.path.bytes, source.raw.sizeBytes,
            source.raw.modifiedNanoseconds, source.sidecar?.file.path.name, source.sidecar?.sizeBytes,
            source.sidecar?.modifiedNanoseconds, source.companion?.file.path.name, source.companion?.sizeBytes,
            source.companion?.modifiedNanoseconds, source.photoBase)
    }

    /// The job becomes one of the new batch; the old one keeps counting it as it ended there.
    private func acceptAgain(_ job: KnownJob, batch: Int64) throws {
        try connection.run(
            """
            UPDATE jobs SET batch = ?, state = 0, round = \(JobColumns.nextRound), sends = 0, reason = NULL,
                message = NULL, signal = NULL WHERE seq = ?
            """, batch, job.sequence)
    }
}

extension PlanClass {
    /// What a file that cannot be read fails with.
    public func failure(of source: Source) -> Failure? {
        guard case .unreadable(let cause) = self else { return nil }
        return Failure(.sourceUnreadable, "\(source.raw.file) could not be read: \(cause).")
    }
}
