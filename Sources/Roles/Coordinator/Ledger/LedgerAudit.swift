internal import Database
internal import Manifests

extension LedgerStore {
    /// Counts every job and compares with what the batches say. Empty where the ledger's law holds: every accepted job
    /// is in exactly one state. Reads all jobs: a second a million.
    public func audit() throws -> [String] {
        var found = try connection.all(
            """
            SELECT hex(batch), accepted, open, catalogued, degraded, failed, cancelled,
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state < 2),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 2),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 3),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 4),
                (SELECT count(*) FROM jobs j WHERE j.batch = b.id AND j.state = 5)
            FROM batches b
            """
        ) { row in Self.complaint(row) }.compactMap { $0 }
        let totals = try totals()
        if !totals.isBalanced { found.append("the batches do not add up: \(totals)") }
        return found
    }

    private static func complaint(_ row: borrowing Row) -> String? {
        let said = (2...6).map { row.integer($0) }
        let counted = (7...11).map { row.integer($0) }
        // What ended and was accepted again by a later batch stays counted where it ended.
        let agrees = said[0] == counted[0] && zip(said, counted).allSatisfy { $0 >= $1 }
        guard !agrees || row.integer(1) != said.reduce(0, +) else { return nil }
        return "batch \(row.text(0)): says \(said) of \(row.integer(1)), counted \(counted)"
    }
}
