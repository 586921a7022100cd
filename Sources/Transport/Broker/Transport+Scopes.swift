extension Transport {
    /// For a broker that is part of its library and can belong to no other.
    public func claim(for library: String) async throws -> String { library }

    /// For a broker that is part of its library and can belong to no other.
    public func owner() async throws -> String? { nil }
}

extension Transport {
    /// Calls `body` with a producer, and closes the producer when `body` returns or throws.
    public func withProducer<Value>(
        isolation: isolated (any Actor)? = #isolation, _ body: (any Producer) async throws -> Value
    ) async throws -> Value {
        let producer = try await producer()
        do {
            let value = try await body(producer)
            await producer.close()
            return value
        } catch {
            await producer.close()
            throw error
        }
    }

    /// Calls `body` with a reader, and closes the reader when `body` returns or throws.
    public func withReader<Value>(
        topic: String, from offsets: [Int32: Int64], isolation: isolated (any Actor)? = #isolation,
        _ body: (any Reader) async throws -> Value
    ) async throws -> Value {
        try await closing(try await reader(topic: topic, from: offsets), body)
    }

    /// Calls `body` with a reader that continues where an earlier one stopped, and closes the reader afterwards.
    public func withReader<Value>(
        topic: String, continuing position: StoredPosition, isolation: isolated (any Actor)? = #isolation,
        _ body: (any Reader) async throws -> Value
    ) async throws -> Value {
        try await closing(try await reader(topic: topic, continuing: position), body)
    }

    private func closing<Value>(
        _ reader: any Reader, isolation: isolated (any Actor)? = #isolation,
        _ body: (any Reader) async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body(reader)
            await reader.close()
            return value
        } catch {
            await reader.close()
            throw error
        }
    }
}
