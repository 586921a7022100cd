internal import Concurrency

/// Destroys clients in the background, each on its own thread, because librdkafka can hang in doing so.
actor ClientDisposer {
    private nonisolated let executor = ThreadExecutor(name: "kafka-destroy")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// `@unchecked Sendable`: the caller of `dispose` no longer uses the client, so only this thread does.
    private struct Disposal: @unchecked Sendable { let client: any Disposable }

    private func perform(_ disposal: Disposal) { disposal.client.abandon() }

    static func dispose(_ client: any Disposable) {
        let disposal = Disposal(client: client)
        Task { await ClientDisposer().perform(disposal) }
    }
}

/// A client that can be destroyed without closing it first.
protocol Disposable {
    func abandon()
}

extension AdminClient: Disposable {}
extension ConsumerClient: Disposable {}
extension ProducerClient: Disposable {}
