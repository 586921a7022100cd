internal import Clock
internal import Database
internal import Digest
internal import Jobs

struct BatchFacts {
    let id: BatchID
    let recipe: Recipe
    let lane: Lane
    let originals: OriginalsPolicy
    let engine: UInt32
    let traceparent: String?
    /// See `Job.precedence`.
    let precedence: Int64
    let isHeld: Bool
    /// Rises whenever the batch's records in the broker become out of date.
    let epoch: UInt32
}

/// The table `batches`. Triggers maintain the counts of its jobs.
struct BatchesTable {
    private let connection: Connection
    private let recipes: RecipesTable

    init(_ connection: Connection, recipes: RecipesTable) {
        self.connection = connection
        self.recipes = recipes
    }

    func find(_ batch: BatchID) throws -> (number: Int64, state: BatchState)? {
        try connection.first("SELECT id, state FROM batches WHERE batch = ?", batch.bytes) { row in
            (row.integer(0), BatchState(rawValue: Int(row.integer(1))) ?? .running)
        }
    }

    /// Adds a batch and returns its number, within a transaction. `family` is the first batch of the request; nil for
    /// its only one.
    func insert(_ submission: Submission, recipe: Int64, family: BatchID?) throws -> Int64 {
        try connection.insert(
            """
            INSERT INTO batches(
                batch, submitted_ms, recipe, lane, originals, engine, traceparent, precedence, family, held)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """, submission.batch.bytes, submission.submittedMilliseconds, recipe, submission.lane.number,
            submission.originals.rawValue, Engine.version, submission.traceparent, try nextPrecedence(),
            family?.bytes, submission.isHeld)
    }

    func addReused(_ count: Int64, ofJob sequence: Int64) throws {
        try connection.run(
            "UPDATE batches SET reused = reused + ? WHERE id = (SELECT batch FROM jobs WHERE seq = ?)", count, sequence)
    }

    // MARK: Precedence

    /// The precedence of a new batch, above all earlier ones. It follows the coordinator's clock if that is ahead, so
    /// that a ledger that replaces a lost one continues above the old photos. It never decreases with the clock.
    private func nextPrecedence() throws -> Int64 {
        try connection.run(
            "UPDATE precedence SET highest = max(highest + 1, ?)", min(WallClock.milliseconds, Self.maxPrecedence))
        return try highestPrecedence()
    }

    /// The highest precedence of any batch, or of any photo reported by the cataloguer.
    func highestPrecedence() throws -> Int64 {
        try connection.first("SELECT highest FROM precedence") { $0.integer(0) } ?? 0
    }

    /// Raises the highest precedence to that of the library's photos: the next batch gets a higher one.
    func raisePrecedence(to highest: Int64) throws {
        try connection.run(
            "UPDATE precedence SET highest = ?1 WHERE highest < ?1", min(highest, Self.maxPrecedence))
    }

    /// Far above all times, and far from the integers' maximum.
    private static let maxPrecedence = Int64(1) << 60

    // MARK: Reading

    func facts(_ number: Int64) throws -> BatchFacts? {
        try connection.first(
            "SELECT batch, recipe, lane, originals, engine, traceparent, epoch, precedence, held FROM batches WHERE id = ?",
            number
        ) { row in
            BatchFacts(
                id: try Self.id(row, 0), recipe: try recipes.recipe(row.integer(1)), lane: Lane(number: row.integer(2)),
                originals: OriginalsPolicy(rawValue: row.text(3)) ?? .reference,
                engine: UInt32(clamping: row.integer(4)), traceparent: row.isNull(5) ? nil : row.text(5),
                precedence: row.integer(7), isHeld: row.integer(8) != 0, epoch: UInt32(clamping: row.integer(6)))
        }
    }

    func set(_ state: BatchState, of number: Int64, outdatesRecords: Bool = false) throws {
        try connection.run(
            "UPDATE batches SET state = ?, epoch = epoch + ? WHERE id = ?", state.rawValue, outdatesRecords ? 1 : 0,
            number)
    }

    /// Numbers of batches with open jobs that are neither paused nor being cancelled, interactive ones first, then in
    /// order of submission.
    func deliverable() throws -> [Int64] {
        try connection.all(
            "SELECT id FROM batches WHERE open > 0 AND state NOT IN (1, 2) ORDER BY lane, id"
        ) { $0.integer(0) }
    }

    /// Numbers of the other batches of a batch's family, in order of submission.
    func siblings(of number: Int64) throws -> [Int64] {
        try connection.all(
            """
            SELECT id FROM batches WHERE family = (SELECT family FROM batches WHERE id = ?1) AND id <> ?1 ORDER BY id
            """, number
        ) { $0.integer(0) }
    }

    func cancelling() throws -> [Int64] {
        try connection.all("SELECT id FROM batches WHERE state = 2") { $0.integer(0) }
    }

    func hasWaitingJobs() throws -> Bool {
        try connection.first(
            """
            SELECT 1 FROM batches b WHERE b.open > 0 AND b.state NOT IN (1, 2)
                AND EXISTS (SELECT 1 FROM jobs j WHERE j.batch = b.id AND j.state = 0) LIMIT 1
            """
        ) { _ in true } ?? false
    }

    static func id(_ row: borrowing Row, _ column: Int32) throws -> BatchID {
        guard let batch = BatchID(bytes: row.blob(column)) else { throw LedgerError.damaged("a batch without an id") }
        return batch
    }
}
