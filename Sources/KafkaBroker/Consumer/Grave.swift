internal import Threads

/// Where clients are destroyed that nobody waits for: each on a thread of its own, since librdkafka can hang in it.
actor Grave {
    private nonisolated let executor = ThreadExecutor(name: "kafka-destroy")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// `@unchecked Sendable`: whoever buries a client has let go of it, so that one thread at a time has it.
    private struct Remains: @unchecked Sendable { let client: any Mortal }

    private func lower(_ remains: Remains) { remains.client.abandon() }

    static func bury(_ client: any Mortal) {
        let remains = Remains(client: client)
        Task { await Grave().lower(remains) }
    }
}

/// A client that can be destroyed.
protocol Mortal {
    func abandon()
}

extension AdminClient: Mortal {}
extension ConsumerClient: Mortal {}
extension ProducerClient: Mortal {}
