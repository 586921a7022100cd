extension Connection {
    /// Runs `body` as one transaction. All of it is durable on return; nothing of it is written if it throws.
    ///
    /// - Throws: `DatabaseError`; what `body` throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try script("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try script("COMMIT")
            return value
        } catch {
            // A failed COMMIT (a full disk) may have rolled back already. Then this fails, which does no harm.
            try? script("ROLLBACK")
            throw error
        }
    }
}
