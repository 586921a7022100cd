import Testing

/// Starts brokers of a real Kafka for a suite. All tests of the suite share them. They are stopped at its end.
struct WithBrokers: SuiteTrait, TestScoping {
    @TaskLocal static var kafka: RealKafka?
    let nodes: Int

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let kafka = try await RealKafka.start(nodes: nodes)
        do {
            try await Self.$kafka.withValue(kafka) { try await function() }
        } catch {
            await kafka.stop()
            throw error
        }
        await kafka.stop()
    }
}

extension Trait where Self == WithBrokers {
    static func brokers(_ nodes: Int) -> Self { WithBrokers(nodes: nodes) }
}
