internal import Database
internal import Digest
internal import Jobs
internal import Manifests

struct WaitingJob {
    let sequence: Int64
    let round: UInt32
    /// Refusals by the library since the last fresh start.
    let refusals: Int
    let source: Source
}

/// The table `jobs`. `sequence` is a job's number in the order of acceptance. Triggers refuse invalid changes of state;
/// see `LedgerSchema`.
struct JobsTable {
    let connection: Connection
    let roots: RootsTable
    let recipes: RecipesTable

    init(_ connection: Connection, roots: RootsTable, recipes: RecipesTable) {
        self.connection = connection
        self.roots = roots
        self.recipes = recipes
    }

    static let rowsPerTransaction = 5000

    func known(_ file: FileReference) throws -> [KnownJob] {
        guard let root = try roots.knownNumber(of: file.root) else { return [] }
        return try connection.all(
            """
            SELECT seq, id, batch, state, (SELECT precedence FROM batches WHERE batches.id = jobs.batch), recipe, reason,
                message, signal, (SELECT originals FROM batches WHERE batches.id = jobs.batch), removed,
                (SELECT held FROM batches WHERE batches.id = jobs.batch),
                (SELECT engine FROM batches WHERE batches.id = jobs.batch), \(Self.sourceColumns)
            FROM jobs WHERE root = ? AND path = ? ORDER BY seq
            """, root, file.path.bytes
        ) { row in
            guard let state = JobState(rawValue: Int(row.integer(3))) else {
                throw LedgerError.damaged("a job's state")
            }
            return KnownJob(
                sequence: row.integer(0), id: try Self.id(row.blob(1)), batch: row.integer(2), state: state,
                precedence: row.integer(4), recipe: row.integer(5),
                originals: OriginalsPolicy(rawValue: row.text(9)) ?? .reference,
                variant: try recipes.recipe(row.integer(5)).variant, source: try source(row, from: 13),
                failure: try Self.failure(row, from: 6), isRemoved: row.integer(10) != 0,
                isHeld: row.integer(11) != 0, engine: UInt32(clamping: row.integer(12)))
        }
    }

    /// Adds an accepted job, or a failed one for an unreadable file.
    func insert(_ entry: PlanEntry, batch: Int64, recipe: Int64) throws {
        let source = entry.source
        let failure = entry.planClass.failure(of: source)
        try connection.run(
            """
            INSERT INTO jobs(id, batch, recipe, state, reason, message, \(Self.sourceColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, entry.job.digest.bytes, batch, recipe, (failure == nil ? JobState.accepted : .failed).rawValue,
            failure?.reason.rawValue, failure?.message,
            roots.number(of: source.raw.file.root), source.raw.file.path.bytes, source.raw.sizeBytes,
            source.raw.modifiedNanoseconds, source.sidecar?.file.path.name, source.sidecar?.sizeBytes,
            source.sidecar?.modifiedNanoseconds, source.companion?.file.path.name, source.companion?.sizeBytes,
            source.companion?.modifiedNanoseconds, source.photoBase)
    }

    /// Moves an ended job to a new batch and opens it again. The old batch still counts it as it ended there.
    func reopen(_ sequence: Int64, in batch: Int64) throws {
        try connection.run(
            """
            UPDATE jobs SET batch = ?, state = 0, round = \(Self.nextRound), sends = 0, reason = NULL,
                message = NULL, signal = NULL, removed = 0, frames_reason = NULL,
                frames_message = NULL, \(Self.withoutRefusals) WHERE seq = ?
            """, batch, sequence)
    }
}
