extension Connection {
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
