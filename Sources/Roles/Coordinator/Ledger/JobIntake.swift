internal import Database
internal import Jobs

struct JobIntake {
    private let connection: Connection
    private let recipes: RecipesTable
    private let batches: BatchesTable
    private let jobs: JobsTable

    init(_ connection: Connection, recipes: RecipesTable, batches: BatchesTable, jobs: JobsTable) {
        self.connection = connection
        self.recipes = recipes
        self.batches = batches
        self.jobs = jobs
    }

    /// The result that `accept` would have for each candidate. Writes nothing.
    func plan(
        _ candidates: [Candidate], recipe: Recipe, originals: OriginalsPolicy = .reference
    ) throws -> [PlanEntry] {
        let number = try recipes.knownNumber(of: recipe)
        return try candidates.map { try plan($0, recipe: number, originals: originals, batch: nil).entry }
    }

    /// Accepts candidates in one transaction: files to convert become open jobs in the outbox, unreadable files become
    /// failed jobs. Accepting the same candidates again changes nothing.
    ///
    /// - Parameters:
    ///   - missing: ended jobs whose photos are missing.
    ///   - family: the first batch of the request; nil for its only one.
    /// - Throws: `LedgerError.batchCancelled`, `LedgerError.unknownRoot`, `DatabaseError`.
    func accept(
        _ candidates: [Candidate], for submission: Submission, missing: Set<JobID> = [], family: BatchID? = nil
    ) throws -> [PlanEntry] {
        try connection.transaction {
            let recipe = try recipes.number(of: submission.recipe)
            let known = try batches.find(submission.batch)?.number
            // Checked or added for the first job that needs it.
            var openBatch: Int64?
            return try candidates.map { candidate in
                let (entry, existing) = try plan(
                    candidate, recipe: recipe, originals: submission.originals, isHeld: submission.isHeld,
                    batch: known ?? openBatch,
                    isMissing: missing.contains(candidate.job))
                guard Self.isWritten(entry.planClass, existing) else { return entry }
                let batch = if let openBatch { openBatch } else { try batchNumber(submission, recipe: recipe, family) }
                openBatch = batch
                if let existing {
                    try jobs.reopen(existing.sequence, in: batch)
                } else {
                    try jobs.insert(entry, batch: batch, recipe: recipe)
                }
                return entry
            }
        }
    }

    /// An unreadable file with an existing job keeps that job as it ended.
    private static func isWritten(_ planClass: PlanClass, _ existing: KnownJob?) -> Bool {
        if case .unreadable = planClass { return existing == nil }
        return planClass.isSubmitted
    }

    private func plan(
        _ candidate: Candidate, recipe: Int64?, originals: OriginalsPolicy, isHeld: Bool = false, batch: Int64?,
        isMissing: Bool = false
    ) throws -> (entry: PlanEntry, existing: KnownJob?) {
        let known = try jobs.known(candidate.found.source.raw.file)
        let planClass = Classification.of(
            candidate, known: known, recipe: recipe, originals: originals, isHeld: isHeld, batch: batch,
            isMissing: isMissing)
        let entry = PlanEntry(source: candidate.found.source, job: candidate.job, planClass: planClass)
        return (entry, known.first { $0.id == candidate.job })
    }

    /// The number of the submission's batch, which is added with its first job.
    private func batchNumber(_ submission: Submission, recipe: Int64, _ family: BatchID?) throws -> Int64 {
        guard let known = try batches.find(submission.batch) else {
            return try batches.insert(submission, recipe: recipe, family: family)
        }
        guard known.state == .running || known.state == .paused else { throw LedgerError.batchCancelled }
        return known.number
    }
}
