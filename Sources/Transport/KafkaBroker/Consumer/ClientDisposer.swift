internal import Concurrency

/// Where clients are destroyed that nobody waits for: each on a thread of its own, since librdkafka can hang in it.
actor ClientDisposer {
    private nonisolated let executor = ThreadExecutor(name: "kafka-destroy")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// `@unchecked Sendable`: whoever buries a client has let go of it, so that one thread at a time has it.
    private struct Remains: @unchecked Sendable { let client: any Disposable }

    private func lower(_ remains: Remains) { remains.client.abandon() }

    static func dispose(_ client: any Disposable) {
        let remains = Remains(client: client)
        Task { await ClientDisposer().lower(remains) }
    }
}

/// A client that can be destroyed.
protocol Disposable {
    func abandon()
}

extension AdminClient: Disposable {}
extension ConsumerClient: Disposable {}
extension ProducerClient: Disposable {}
