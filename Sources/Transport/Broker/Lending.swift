extension Transport {
    /// Lends a producer, and closes it however the body ends.
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

    /// Lends a reader, and closes it however the body ends.
    public func withReader<Value>(
        topic: String, from offsets: [Int32: Int64], isolation: isolated (any Actor)? = #isolation,
        _ body: (any Reader) async throws -> Value
    ) async throws -> Value {
        let reader = try await reader(topic: topic, from: offsets)
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
