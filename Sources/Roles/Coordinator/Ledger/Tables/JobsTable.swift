internal import Database
internal import Digest
internal import Jobs
internal import Manifests

/// A job of the outbox.
struct WaitingJob {
    let sequence: Int64
    let round: UInt32
    /// Refusals by the library since the last fresh start.
    let refusals: Int
    let source: Source
}

/// The table `jobs`. Jobs are numbered in the order of acceptance; `sequence` is that number. Triggers refuse changes of
/// state that no event may cause, see `LedgerSchema`.
struct JobsTable {
    private let connection: Connection
    private let roots: RootsTable
    private let recipes: RecipesTable

    init(_ connection: Connection, roots: RootsTable, recipes: RecipesTable) {
        self.connection = connection
        self.roots = roots
        self.recipes = recipes
    }

    /// The rows that one transaction changes where many may have to change.
    private static let rowsPerTransaction = 5000

    // MARK: Accepting

    /// All jobs of a file, oldest first.
    func known(_ file: FileReference) throws -> [KnownJob] {
        guard let root = try roots.knownNumber(of: file.root) else { return [] }
        return try connection.all(
            """
            SELECT seq, id, batch, state, (SELECT precedence FROM batches WHERE batches.id = jobs.batch), recipe, reason,
                message, signal, (SELECT originals FROM batches WHERE batches.id = jobs.batch), \(Self.sourceColumns)
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
                variant: try recipes.recipe(row.integer(5)).variant, source: try source(row, from: 10),
                failure: try Self.failure(row, from: 6))
        }
    }

    /// Adds a job: an accepted one, or a failed one for a file that cannot be read.
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

    /// Moves a job that ended to a new batch and opens it again. The old batch still counts it as it ended there.
    func reopen(_ sequence: Int64, in batch: Int64) throws {
        try connection.run(
            """
            UPDATE jobs SET batch = ?, state = 0, round = \(Self.nextFetches), sends = 0, reason = NULL,
                message = NULL, signal = NULL, \(Self.withoutRefusals) WHERE seq = ?
            """, batch, sequence)
    }

    // MARK: Sending

    /// A batch's jobs in the outbox, in the order of acceptance.
    func waiting(in batch: Int64, limit: Int) throws -> [WaitingJob] {
        try connection.all(
            """
            SELECT seq, round, refusals, \(Self.sourceColumns) FROM jobs
            WHERE batch = ? AND state = 0 ORDER BY seq LIMIT ?
            """, batch, limit
        ) { row in
            WaitingJob(
                sequence: row.integer(0), round: UInt32(clamping: row.integer(1)), refusals: Int(row.integer(2)),
                source: try source(row, from: 3))
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

    /// True while any job is in a jobs topic or with the workers.
    func hasPublished() throws -> Bool {
        try connection.first("SELECT 1 FROM jobs WHERE state = 1 LIMIT 1") { _ in true } ?? false
    }

    /// Puts published jobs back into the outbox, except those that the library refused and that are not due yet.
    ///
    /// - Returns: how many; 0 when none is left.
    func republish(limit: Int) throws -> Int {
        try connection.run(
            "UPDATE jobs SET state = 0 WHERE seq IN (SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NULL LIMIT ?)",
            limit)
    }

    /// Puts published jobs that were lost back into the outbox, and fails those that were sent `maxSends` times.
    ///
    /// - Returns: how many; 0 when none is left.
    func republishLost(limit: Int, maxSends: Int) throws -> Int {
        let message = "It was given out \(maxSends) times and no worker ever answered. Look at the dead letters."
        return try connection.run(
            """
            UPDATE jobs SET state = iif(sends < ?1, 0, 4), reason = iif(sends < ?1, NULL, ?2),
                message = iif(sends < ?1, NULL, ?3)
            WHERE seq IN (SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NULL LIMIT ?4)
            """, maxSends, FailureReason.internalError.rawValue, message, limit)
    }

    /// Puts a batch's published jobs back into the outbox as if they were never sent, in transactions of bounded size.
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

    // MARK: Refusals

    /// Opens a job again whose photo the library refused, in a new round: the attempts of the round before are no fault of
    /// its file. It is sent when it is due.
    ///
    /// - Parameter due: milliseconds since 1970.
    func refuse(_ sequence: Int64, _ refusal: Refusal, due: Int64) throws {
        try connection.run(
            """
            UPDATE jobs SET state = 1, round = \(Self.nextFetches), sends = 0, refusals = refusals + 1, refusal = ?,
                refusal_message = ?, due_ms = ? WHERE seq = ?
            """, refusal.code, refusal.message, due, sequence)
    }

    /// Fails a job that was refused once too often.
    func failRefused(_ sequence: Int64, _ refusal: Refusal, _ result: JobResult) throws {
        let failure = Failure(
            .libraryRefused, "The library refused the photo that \(result.worker) made: \(refusal.message)")
        try connection.run(
            "UPDATE jobs SET refusals = refusals + 1, refusal = ?, refusal_message = ? WHERE seq = ?", refusal.code,
            refusal.message, sequence)
        try end(sequence, as: .failed, result, failure: failure)
    }

    /// Puts refused jobs that are due into the outbox.
    ///
    /// - Parameter now: milliseconds since 1970.
    /// - Returns: how many; 0 when none is left.
    func releaseRefused(now: Int64, limit: Int) throws -> Int {
        try connection.run(
            """
            UPDATE jobs SET state = 0, due_ms = NULL WHERE seq IN
                (SELECT seq FROM jobs WHERE state = 1 AND due_ms IS NOT NULL AND due_ms <= ? LIMIT ?)
            """, now, limit)
    }

    private static let withoutRefusals =
        "refusals = 0, refusal = NULL, refusal_message = NULL, due_ms = NULL"

    // MARK: Ending

    /// What decides whether a result ends a job; nil for an unknown job.
    func progress(of job: JobID, _ file: FileReference) throws -> JobProgress? {
        guard let root = try roots.knownNumber(of: file.root) else { return nil }
        return try connection.first(
            "SELECT seq, state, round, refusals FROM jobs WHERE root = ? AND path = ? AND id = ?", root,
            file.path.bytes,
            job.digest.bytes
        ) { row in
            JobState(rawValue: Int(row.integer(1))).map { state in
                JobProgress(
                    sequence: row.integer(0), state: state, round: UInt32(clamping: row.integer(2)),
                    refusals: Int(row.integer(3)))
            }
        } ?? nil
    }

    /// What was ordered for the RAW of a job.
    func originals(of sequence: Int64) throws -> OriginalsPolicy {
        try connection.first(
            "SELECT b.originals FROM jobs j JOIN batches b ON b.id = j.batch WHERE j.seq = ?", sequence
        ) { OriginalsPolicy(rawValue: $0.text(0)) ?? .reference } ?? .reference
    }

    /// Ends a job as its result says.
    func end(_ sequence: Int64, as state: JobState, _ result: JobResult) throws {
        let failure: Failure? = if case .failed(let failure) = result.outcome { failure } else { nil }
        try end(sequence, as: state, result, failure: failure)
    }

    private func end(_ sequence: Int64, as state: JobState, _ result: JobResult, failure: Failure?) throws {
        var (asset, degraded): (SHA256Value?, String?) = (nil, nil)
        if case .catalogued(let raw, let cause) = result.outcome { (asset, degraded) = (raw, cause) }
        try connection.run(
            """
            UPDATE jobs SET state = ?, round = max(round, ?), attempts = ?, finished_ms = ?, reason = ?, message = ?,
                signal = ?, asset = coalesce(?, asset) WHERE seq = ?
            """, state.rawValue, result.round, result.attempts, result.finishedMilliseconds,
            failure?.reason.rawValue, failure?.message ?? degraded, failure?.signal, asset?.bytes, sequence)
    }

    /// Ends a batch's open jobs as cancelled, in transactions of bounded size.
    ///
    /// - Returns: how many there were.
    func cancel(batch: Int64) throws -> Int {
        var cancelled = 0
        for state in [JobState.accepted, .published] {
            while true {
                let count = try connection.run(
                    """
                    UPDATE jobs SET state = 5 WHERE seq IN
                        (SELECT seq FROM jobs WHERE batch = ? AND state = \(state.rawValue)
                            LIMIT \(Self.rowsPerTransaction))
                    """, batch)
                cancelled += count
                if count == 0 { break }
            }
        }
        return cancelled
    }

    // MARK: Retrying

    /// Failed jobs in the order of acceptance, one page at a time.
    ///
    /// - Parameters:
    ///   - last: the sequence number that ended the page before; 0 for the first page.
    ///   - reason: only jobs that failed for this reason; nil for all.
    ///   - batch: only jobs of this batch; nil for all.
    func failed(after last: Int64, reason: FailureReason?, batch: Int64?) throws -> [Int64] {
        try connection.all(
            """
            SELECT seq FROM jobs WHERE state = 4 AND seq > ?1 AND (?2 IS NULL OR reason = ?2)
                AND (?3 IS NULL OR batch = ?3) ORDER BY seq LIMIT \(Self.rowsPerTransaction)
            """, last, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    /// A named job; nil if the ledger does not know it or it did not fail for this reason.
    func failed(_ address: JobAddress, reason: FailureReason?, batch: Int64?) throws -> Int64? {
        guard let root = try roots.knownNumber(of: address.file.root) else { return nil }
        return try connection.first(
            """
            SELECT seq FROM jobs WHERE root = ?1 AND path = ?2 AND id = ?3 AND state = 4
                AND (?4 IS NULL OR reason = ?4) AND (?5 IS NULL OR batch = ?5)
            """, root, address.file.path.bytes, address.job.digest.bytes, reason?.rawValue, batch
        ) { $0.integer(0) }
    }

    /// Opens a failed job again in a new round, unless it is superseded.
    ///
    /// - Returns: 1, or 0 for a superseded job.
    func restart(_ sequence: Int64) throws -> Int {
        try connection.run(
            """
            UPDATE jobs SET state = 0, round = \(Self.nextFetches), sends = 0, reason = NULL, message = NULL,
                signal = NULL, \(Self.withoutRefusals)
            WHERE seq = ? AND NOT \(Self.isSuperseded)
            """, sequence)
    }

    // MARK: Columns

    /// A source's columns, always selected in this order.
    private static let sourceColumns = """
        root, path, size, modified_ns, sidecar, sidecar_size, sidecar_modified_ns,
        companion, companion_size, companion_modified_ns, base
        """

    /// The round of a fresh start. It stops at the last one that a record can hold.
    private static let nextFetches = "min(round + 1, \(UInt32.max))"

    /// True for a job whose file was accepted in a newer state with the same recipe.
    static let isSuperseded = """
        EXISTS (SELECT 1 FROM jobs newer WHERE newer.root = jobs.root AND newer.path = jobs.path
            AND newer.recipe = jobs.recipe AND newer.seq > jobs.seq)
        """

    /// Decodes `sourceColumns`, which begin at column `first`.
    private func source(_ row: borrowing Row, from first: Int32) throws -> Source {
        let root = try roots.name(row.integer(first))
        guard let path = RelativePath(bytes: row.blob(first + 1)) else {
            throw LedgerError.damaged("a job without a path")
        }
        let raw = FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: UInt64(bitPattern: row.integer(first + 2)),
            modifiedNanoseconds: row.integer(first + 3))
        return Source(
            raw: raw, sidecar: try stamp(row, from: first + 4, beside: raw),
            companion: try stamp(row, from: first + 7, beside: raw), photoBase: row.blob(first + 10))
    }

    /// Decodes name, size and time of a file in the RAW's folder; nil for NULL.
    private func stamp(_ row: borrowing Row, from first: Int32, beside raw: FileStamp) throws -> FileStamp? {
        guard !row.isNull(first) else { return nil }
        let name = row.blob(first)
        let path = raw.file.path.folder.map { $0.appending(name) } ?? RelativePath(bytes: name)
        guard let path else { throw LedgerError.damaged("a file's name that cannot be one") }
        return FileStamp(
            file: FileReference(root: raw.file.root, path: path), sizeBytes: UInt64(bitPattern: row.integer(first + 1)),
            modifiedNanoseconds: row.integer(first + 2))
    }

    /// Decodes reason, message and signal; nil for a job that did not fail.
    static func failure(_ row: borrowing Row, from first: Int32) throws -> Failure? {
        guard !row.isNull(first) else { return nil }
        let reason = FailureReason(rawValue: row.text(first)) ?? .internalError
        return Failure(
            reason, row.text(first + 1), signal: row.isNull(first + 2) ? nil : Int32(clamping: row.integer(first + 2)))
    }

    /// Decodes the column `id`.
    static func id(_ bytes: [UInt8]) throws -> JobID {
        guard let digest = SHA256Value(bytes: bytes) else { throw LedgerError.damaged("a job without an id") }
        return JobID(digest: digest)
    }
}
