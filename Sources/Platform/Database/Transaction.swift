extension Connection {
    /// Runs `body` as one transaction: all of it is durable when this returns, none of it when it throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try script("BEGIN IMMEDIATE")
        do {
            let value = try body()
            try script("COMMIT")
            return value
        } catch {
            // A failed COMMIT (disk full) may have rolled back already: then this one has nothing to do.
            try? script("ROLLBACK")
            throw error
        }
    }
}
