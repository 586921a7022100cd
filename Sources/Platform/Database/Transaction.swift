extension Connection {
    /// Runs `body` while no other transaction writes to a server's tables: what it does in several transactions, and beside the
    /// database, is one step for others. If the connection breaks, nothing more of it is written.
    ///
    /// - Throws: a `DatabaseError` of kind `conflict` if another process takes minutes; what `body` throws.
    public func turn<Value>(_ body: () throws -> Value) throws -> Value {
        try driver.takeTurn()
        defer { driver.giveTurn() }
        return try body()
    }

    /// Runs `body`, which only reads, on the database as it is at one moment, whatever others write meanwhile.
    ///
    /// - Throws: `DatabaseError`; what `body` throws.
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try driver.beginReading()
        defer { driver.rollback() }
        return try body()
    }

    /// Runs `body` as one transaction. All of it is durable on return; nothing of it is written if it throws. An error of
    /// kind `unreachable` while it is made durable leaves open which of the two it is.
    ///
    /// - Throws: `DatabaseError`; what `body` throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try driver.begin()
        do {
            let value = try body()
            try driver.commit()
            return value
        } catch {
            driver.rollback()
            throw error
        }
    }
}
