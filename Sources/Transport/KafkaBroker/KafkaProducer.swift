internal import Broker
internal import Synchronization

final class KafkaProducer: Producer {
    private let transport: KafkaTransport
    private let isClosed = Mutex(false)

    init(_ transport: KafkaTransport) { self.transport = transport }

    func send(_ records: [Record], to topic: String) async throws -> [Position] {
        guard !isClosed.withLock({ $0 }) else { throw BrokerError.closed }
        return try await transport.send(records, to: topic)
    }

    func close() async { isClosed.withLock { $0 = true } }
}
