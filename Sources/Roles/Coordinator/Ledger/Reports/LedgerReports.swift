internal import Database
internal import Digest
public import Jobs
public import Manifests

/// Reads batches and jobs for reports. Writes nothing.
public struct LedgerReports {
    let connection: Connection
    let roots: RootsTable
    let recipes: RecipesTable

    init(_ connection: Connection, roots: RootsTable, recipes: RecipesTable) {
        self.connection = connection
        self.roots = roots
        self.recipes = recipes
    }

    // MARK: Counts

    /// The jobs of all batches by state.
    public func totals() throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches") { row in JobCounts(row, from: 0) } ?? JobCounts()
    }

    /// The jobs of a batch by state; zero for an unknown batch.
    public func counts(of batch: BatchID) throws -> JobCounts {
        try connection.first("SELECT \(Self.sums) FROM batches WHERE batch = ?", batch.bytes) { row in
            JobCounts(row, from: 0)
        } ?? JobCounts()
    }

    private static let sums = """
        sum(accepted), sum(open), sum(catalogued), sum(degraded), sum(failed), sum(cancelled)
        """

    /// Whether operators have paused everything.
    public func isPaused() throws -> Bool { try OperatorTable(connection).current().isPaused }

    // MARK: Sums

    /// Counts every job and compares the result with the batches' counts. Returns one sentence per difference; empty if
    /// every accepted job is in exactly one state.
    public func audit() throws -> [String] {
        var complaints = try connection.all(
            """
            SELECT hex(b.batch), b.accepted, b.open, b.catalogued, b.degraded, b.failed, b.cancelled,
                coalesce(counted.open, 0), coalesce(counted.catalogued, 0), coalesce(counted.degraded, 0),
                coalesce(counted.failed, 0), coalesce(counted.cancelled, 0)
            FROM batches b LEFT JOIN (
                SELECT batch, sum(CASE WHEN state < 2 THEN 1 ELSE 0 END) AS open,
                    sum(CASE WHEN state = 2 THEN 1 ELSE 0 END) AS catalogued,
                    sum(CASE WHEN state = 3 THEN 1 ELSE 0 END) AS degraded,
                    sum(CASE WHEN state = 4 THEN 1 ELSE 0 END) AS failed,
                    sum(CASE WHEN state = 5 THEN 1 ELSE 0 END) AS cancelled
                FROM jobs GROUP BY batch) AS counted ON counted.batch = b.id
            ORDER BY b.id
            """
        ) { row in Self.complaint(row) }.compactMap { $0 }
        let totals = try totals()
        if !totals.isBalanced { complaints.append("the batches do not add up: \(totals)") }
        return complaints
    }

    private static func complaint(_ row: borrowing Row) -> String? {
        let stored = (2...6).map { row.integer($0) }
        let counted = (7...11).map { row.integer($0) }
        // A job that a later batch accepted again still counts where it ended before.
        let agrees = stored[0] == counted[0] && zip(stored, counted).allSatisfy { $0 >= $1 }
        guard !agrees || row.integer(1) != stored.reduce(0, +) else { return nil }
        return "batch \(row.text(0)): stored \(stored) of \(row.integer(1)), counted \(counted)"
    }
}

extension JobCounts {
    init(_ row: borrowing Row, from first: Int32) {
        self.init(
            accepted: Int(row.integer(first)), open: Int(row.integer(first + 1)),
            catalogued: Int(row.integer(first + 2)), degraded: Int(row.integer(first + 3)),
            failed: Int(row.integer(first + 4)), cancelled: Int(row.integer(first + 5)))
    }
}
