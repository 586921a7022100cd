internal import Broker
internal import Synchronization

/// A producer handle; all of a transport's share one client of librdkafka.
final class KafkaProducer: Producer {
    private let transport: KafkaTransport
    private let closed = Mutex(false)

    init(_ transport: KafkaTransport) { self.transport = transport }

    func send(_ records: [Record], to topic: String) async throws -> [Position] {
        guard !closed.withLock({ $0 }) else { throw BrokerError.closed }
        return try await transport.send(records, to: topic)
    }

    func close() async { closed.withLock { $0 = true } }
}
