internal import Database
internal import Jobs
internal import Records

/// An order that waits to be planned.
struct WaitingOrder: Hashable, Sendable {
    let order: ConversionOrder
    let traceparent: String?
}

/// The table `orders`: what arrived in a cluster's control topic to be converted.
struct OrdersTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Keeps an order until it is planned.
    ///
    /// - Returns: false for an order that is known already, because its record was delivered again.
    func add(_ order: ConversionOrder, traceparent: String?) throws -> Bool {
        try connection.run(
            "INSERT OR IGNORE INTO orders(batch, lane, record, traceparent) VALUES (?, ?, ?, ?)",
            order.batch.bytes, order.lane.number, Control.submit(order).encoded(), traceparent) > 0
    }

    /// The oldest order of a lane that is not planned yet.
    func next(_ lane: Lane) throws -> WaitingOrder? {
        try connection.first(
            "SELECT record, traceparent FROM orders WHERE state = 0 AND lane = ? ORDER BY id LIMIT 1", lane.number
        ) { row in
            WaitingOrder(order: try Self.order(row.blob(0)), traceparent: row.isNull(1) ? nil : row.text(1))
        }
    }

    /// Notes that an order's plan is complete.
    func finish(_ batch: BatchID, _ counts: PlanCounts) throws {
        try connection.run(
            """
            UPDATE orders SET state = 1, unchanged = ?, failed_before = ?, unreadable = ?, links = ?, missing = ?,
                not_raw = ? WHERE batch = ? AND state = 0
            """, counts.unchanged, counts.failedBefore, counts.unreadable, counts.linksOut + counts.skipped.links,
            counts.missing, counts.skipped.notRaw, batch.bytes)
    }

    /// Keeps what the walk could not read or left out, by its path. Of very many the first are kept.
    func note(_ problems: [WalkProblem], of batch: BatchID) throws {
        for problem in problems {
            try connection.run(
                """
                INSERT OR REPLACE INTO problems SELECT ?1, ?2, ?3
                WHERE (SELECT count(*) FROM problems WHERE batch = ?1) < \(Self.maxProblems)
                """, batch.bytes, problem.path, problem.description)
        }
    }

    private static let maxProblems = 1000

    /// Notes that an order cannot be planned, and why.
    func refuse(_ batch: BatchID, _ problem: String) throws {
        try connection.run(
            "UPDATE orders SET state = 2, problem = ? WHERE batch = ? AND state = 0", problem, batch.bytes)
    }

    /// Cancels an order whose plan is not complete.
    func cancel(_ batch: BatchID) throws {
        try connection.run("UPDATE orders SET state = 3 WHERE batch = ? AND state = 0", batch.bytes)
    }

    /// Decodes the column `record`.
    static func order(_ record: [UInt8]) throws -> ConversionOrder {
        guard case .submit(let order)? = try? Control(record: record) else {
            throw LedgerError.damaged("an order that cannot be read")
        }
        return order
    }
}
