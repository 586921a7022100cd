internal import Database
internal import Jobs
internal import Records

struct WaitingOrder: Hashable, Sendable {
    let order: ConversionOrder
    let traceparent: String?
    /// The first batch of the request, which identifies the parts of its sources.
    let family: BatchID
}

/// The table `orders`: orders from a cluster's control topic.
struct OrdersTable {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    /// Stores an order until it is planned, within a transaction: a row for each of its recipes, which form a family.
    /// Returns the new ones.
    func add(_ order: ConversionOrder, traceparent: String?) throws -> [ConversionOrder] {
        try order.editions.filter { edition in
            try connection.run(
                """
                INSERT INTO orders(batch, lane, record, traceparent, family) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
                edition.batch.bytes, edition.lane.number, Control.submit(edition).encoded(), traceparent,
                order.batch.bytes) > 0
        }
    }

    // MARK: Sources in parts

    /// Stores a part of an order's sources. A repeated part replaces itself; a part of an order that is already planned
    /// changes nothing. `now` is in milliseconds since 1970.
    func add(_ part: SourcePart, now: Int64) throws {
        // Deletes parts without an order, whose sender was killed.
        try connection.run(
            """
            DELETE FROM source_parts WHERE arrived_ms < ? AND ? = 1
                AND NOT EXISTS (SELECT 1 FROM orders WHERE orders.batch = source_parts.batch)
            """, now - Self.maxPartAgeMilliseconds, part.number == 0 ? 1 : 0)
        let isPlanned = try connection.first(
            "SELECT 1 FROM orders WHERE batch = ? AND state > 0", part.batch.bytes
        ) { _ in true }
        if isPlanned == true { return }
        try connection.run(
            """
            INSERT INTO source_parts VALUES (?, ?, ?, ?)
            ON CONFLICT(batch, number) DO UPDATE SET arrived_ms = excluded.arrived_ms, record = excluded.record
            """, part.batch.bytes, Int64(part.number), now, Control.sources(part).encoded())
    }

    private static let maxPartAgeMilliseconds: Int64 = 7 * 86_400_000

    /// The sources of one part of an order; nil if it never arrived.
    func sources(of batch: BatchID, part number: UInt32) throws -> [ConversionOrder.Location]? {
        let record = try connection.first(
            "SELECT record FROM source_parts WHERE batch = ? AND number = ?", batch.bytes, Int64(number)
        ) { $0.blob(0) }
        guard let record else { return nil }
        guard case .sources(let part)? = try? Control(record: record) else {
            throw LedgerError.damaged("a part of an order's sources that cannot be read")
        }
        return part.sources
    }

    /// Removes the parts of an order once all of its family are planned, refused or cancelled.
    private func removeParts(of batch: BatchID) throws {
        try connection.run(
            """
            DELETE FROM source_parts WHERE batch = (SELECT family FROM orders WHERE batch = ?1) AND NOT EXISTS
                (SELECT 1 FROM orders WHERE state = 0 AND family = (SELECT family FROM orders WHERE batch = ?1))
            """, batch.bytes)
    }

    // MARK: Planning

    /// The oldest unplanned order of a lane, with the rest of its family; empty if there is none.
    func next(_ lane: Lane) throws -> [WaitingOrder] {
        try connection.all(
            """
            SELECT record, traceparent, family FROM orders WHERE state = 0 AND family =
                (SELECT family FROM orders WHERE state = 0 AND lane = ? ORDER BY id LIMIT 1) ORDER BY id
            """, lane.number
        ) { row in
            WaitingOrder(
                order: try Self.order(row.blob(0)), traceparent: row.isNull(1) ? nil : row.text(1),
                family: try BatchesTable.id(row, 2))
        }
    }

    func finish(_ batch: BatchID, _ counts: PlanCounts) throws {
        try connection.run(
            """
            UPDATE orders SET state = 1, unchanged = ?, failed_before = ?, unreadable = ?, links = ?, missing = ?,
                not_raw = ? WHERE batch = ? AND state = 0
            """, counts.unchanged, counts.failedBefore, counts.unreadable, counts.linksOut + counts.skipped.links,
            counts.missing, counts.skipped.notRaw, batch.bytes)
        try removeParts(of: batch)
    }

    func refuse(_ batch: BatchID, _ problem: String) throws {
        try connection.run(
            "UPDATE orders SET state = 2, problem = ? WHERE batch = ? AND state = 0", problem, batch.bytes)
        try removeParts(of: batch)
    }

    /// Cancels an order whose plan is incomplete.
    func cancel(_ batch: BatchID) throws {
        try connection.run("UPDATE orders SET state = 3 WHERE batch = ? AND state = 0", batch.bytes)
        try removeParts(of: batch)
    }

    static func order(_ record: [UInt8]) throws -> ConversionOrder {
        guard case .submit(let order)? = try? Control(record: record) else {
            throw LedgerError.damaged("an unreadable order")
        }
        return order
    }
}
