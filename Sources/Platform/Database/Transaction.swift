extension Connection {
    /// Blocks other writing transactions on a server while `body` runs, so that its transactions and outside effects
    /// are one step for others. If the connection breaks, nothing more is written. Throws a `DatabaseError` of kind
    /// `conflict` if another process holds its turn for minutes; the errors of `body`.
    public func turn<Value>(_ body: () throws -> Value) throws -> Value {
        try driver.takeTurn()
        defer { driver.giveTurn() }
        return try body()
    }

    /// Runs `body`, which only reads, on a snapshot of the database. Throws `DatabaseError`, and the errors of `body`.
    public func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
        try driver.beginReading()
        defer { driver.rollback() }
        return try body()
    }

    /// Runs `body` as one transaction: durable on return, rolled back if it throws. An error of kind `unreachable`
    /// during the commit leaves the outcome unknown. Throws `DatabaseError`, and the errors of `body`.
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
