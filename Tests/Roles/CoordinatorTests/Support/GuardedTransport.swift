import Broker
import Synchronization

/// A broker that refuses its user to read a topic until it is opened.
final class GuardedTransport: Transport {
    private let broker: EmbeddedBroker
    private let topic: String
    private let isAllowed = Mutex(false)

    init(_ broker: EmbeddedBroker, withoutReading topic: String) {
        self.broker = broker
        self.topic = topic
    }

    func allow() { isAllowed.withLock { $0 = true } }

    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        if topic == self.topic, !isAllowed.withLock({ $0 }) {
            throw BrokerError.unavailable("this user may not Read the topic \(topic)")
        }
        return try await broker.reader(topic: topic, from: offsets)
    }

    func clusterID() async throws -> String { try await broker.clusterID() }
    func create(_ topics: [Topic]) async throws { try await broker.create(topics) }
    func producer() async throws -> any Producer { try await broker.producer() }
    func close() async { await broker.close() }
    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] { try await broker.watermarks(topic: topic) }

    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await broker.committed(group: group, topic: topic)
    }

    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await broker.consumer(group: group, topics: topics, inFlight: inFlight)
    }
}
