internal import Database
internal import Digest
public import Jobs

/// One request to convert: what all its jobs have in common.
public struct Submission: Hashable, Sendable {
    public let batch: BatchID
    public let recipe: Recipe
    public let lane: Lane
    public let originals: OriginalsPolicy
    /// W3C trace context that every job's record carries on.
    public let traceparent: String?
    /// Milliseconds since 1970.
    public let submittedMilliseconds: Int64

    public init(
        batch: BatchID = .random(), recipe: Recipe, lane: Lane = .bulk, originals: OriginalsPolicy = .reference,
        traceparent: String? = nil, submittedMilliseconds: Int64
    ) {
        self.batch = batch
        self.recipe = recipe
        self.lane = lane
        self.originals = originals
        self.traceparent = traceparent
        self.submittedMilliseconds = submittedMilliseconds
    }
}

/// Whether a batch's jobs are given out.
public enum BatchState: Int, Hashable, Sendable, CaseIterable {
    case running = 0
    case paused = 1
    /// Its open jobs are being ended.
    case cancelling = 2
    case cancelled = 3
}

extension Lane {
    /// As the database holds it, and sorts it.
    var number: Int { self == .interactive ? 0 : 1 }

    init(number: Int64) { self = number == 0 ? .interactive : .bulk }
}

extension LedgerStore {
    /// The batch's row, made when its first job is accepted. Inside a transaction.
    func batchNumber(_ submission: Submission) throws -> Int64 {
        if let known = try batch(submission.batch) {
            guard known.state == .running || known.state == .paused else { throw LedgerError.batchCancelled }
            return known.number
        }
        try connection.run(
            """
            INSERT INTO batches(batch, submitted_ms, recipe, lane, originals, engine, traceparent)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """, submission.batch.bytes, submission.submittedMilliseconds, recipeNumber(submission.recipe),
            submission.lane.number, submission.originals.rawValue, Engine.version, submission.traceparent)
        return connection.lastInsertedRow
    }

    func batch(_ batch: BatchID) throws -> (number: Int64, state: BatchState)? {
        try connection.first("SELECT id, state FROM batches WHERE batch = ?", batch.bytes) { row in
            (row.integer(0), BatchState(rawValue: Int(row.integer(1))) ?? .running)
        }
    }

    /// The recipe's row, made where there is none. Inside a transaction.
    func recipeNumber(_ recipe: Recipe) throws -> Int64 {
        if let known = try knownRecipe(recipe) { return known }
        try connection.run(
            "INSERT INTO recipes(digest, text) VALUES (?, ?)", recipe.id.bytes, recipe.canonicalText)
        return connection.lastInsertedRow
    }

    func knownRecipe(_ recipe: Recipe) throws -> Int64? {
        try connection.first("SELECT id FROM recipes WHERE digest = ?", recipe.id.bytes) { $0.integer(0) }
    }

    func recipe(_ number: Int64) throws -> Recipe {
        if let known = recipes[number] { return known }
        let text = try connection.first("SELECT text FROM recipes WHERE id = ?", number) { $0.text(0) }
        guard let recipe = text.flatMap({ Recipe(canonicalText: $0) }) else {
            throw LedgerError.damaged("a recipe that cannot be read")
        }
        recipes[number] = recipe
        return recipe
    }
}
