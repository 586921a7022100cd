internal import Database
internal import Jobs
internal import Records

/// An order of the control topic that waits to be planned.
struct WaitingOrder: Hashable, Sendable {
    let order: ConversionOrder
    let traceparent: String?
}

extension LedgerStore {
    /// How far the cluster's control topic is read, by partition.
    public func controlOffsets(_ cluster: String) throws -> [Int32: Int64] {
        let pairs = try connection.all(
            "SELECT partition, next FROM control_offsets WHERE cluster = ?", cluster
        ) { row in (Int32(clamping: row.integer(0)), row.integer(1)) }
        return Dictionary(pairs) { _, last in last }
    }

    func passControl(_ cluster: String, partition: Int32, to next: Int64) throws {
        try connection.run(
            """
            INSERT INTO control_offsets VALUES (?, ?, ?)
                ON CONFLICT(cluster, partition) DO UPDATE SET next = excluded.next
            """, cluster, partition, next)
    }

    /// Keeps an order until it is planned. One that was taken before stays as it is: its record came again.
    func take(_ order: ConversionOrder, traceparent: String?) throws -> Bool {
        try connection.run(
            "INSERT OR IGNORE INTO orders(batch, lane, record, traceparent) VALUES (?, ?, ?, ?)",
            order.batch.bytes, order.lane.number, Control.submit(order).encoded(), traceparent) > 0
    }

    /// The oldest order of the lane that is not planned yet.
    func nextOrder(_ lane: Lane) throws -> WaitingOrder? {
        try connection.first(
            "SELECT record, traceparent FROM orders WHERE state = 0 AND lane = ? ORDER BY id LIMIT 1", lane.number
        ) { row in
            WaitingOrder(order: try order(row.blob(0)), traceparent: row.isNull(1) ? nil : row.text(1))
        }
    }

    func order(_ record: [UInt8]) throws -> ConversionOrder {
        guard case .submit(let order)? = try? Control(record: record) else {
            throw LedgerError.damaged("an order that cannot be read")
        }
        return order
    }

    func planned(_ batch: BatchID, _ counts: PlanCounts) throws {
        try connection.run(
            """
            UPDATE orders SET state = 1, unchanged = ?, failed_before = ?, unreadable = ? WHERE batch = ? AND state = 0
            """, counts.unchanged, counts.failedBefore, counts.unreadable, batch.bytes)
    }

    func refuse(_ batch: BatchID, _ problem: String) throws {
        try connection.run(
            "UPDATE orders SET state = 2, problem = ? WHERE batch = ? AND state = 0", problem, batch.bytes)
    }

    /// An order that is cancelled before its plan begins, or while it is made.
    ///
    /// - Returns: true where there is such an order.
    func cancelOrder(_ batch: BatchID) throws -> Bool {
        try connection.run("UPDATE orders SET state = 3 WHERE batch = ? AND state = 0", batch.bytes) > 0
    }

    func isWaiting(_ batch: BatchID) throws -> Bool {
        try connection.first("SELECT 1 FROM orders WHERE batch = ? AND state = 0", batch.bytes) { _ in true } ?? false
    }

    /// What operators said of everything: whether all is paused, and how often all was resumed.
    func operatorWord() throws -> (isPaused: Bool, resumes: UInt64) {
        try connection.first("SELECT paused, resumes FROM operator") { row in
            (row.integer(0) != 0, UInt64(clamping: row.integer(1)))
        } ?? (false, 0)
    }

    func pauseAll() throws { try connection.run("UPDATE operator SET paused = 1") }
    func resumeAll() throws { try connection.run("UPDATE operator SET paused = 0, resumes = resumes + 1") }
}
