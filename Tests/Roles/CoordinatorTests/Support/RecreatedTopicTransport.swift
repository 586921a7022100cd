import Broker
import Synchronization

/// A broker with a topic that is deleted and recreated: its records are gone, and its offsets begin anew. The broker
/// stays the same.
final class RecreatedTopicTransport: Transport {
    private let broker: EmbeddedBroker
    /// Holds the topic after it was recreated.
    private let later: EmbeddedBroker
    private let topic: String
    private let state = State()

    fileprivate final class State: Sendable {
        private let isRecreated = Mutex(false)

        var hasNewTopic: Bool { isRecreated.withLock { $0 } }
        func recreate() { isRecreated.withLock { $0 = true } }
    }

    /// - Parameter topic: the topic to recreate.
    init(_ broker: EmbeddedBroker, _ topic: Topic) async throws {
        self.broker = broker
        self.topic = topic.name
        later = try await EmbeddedBroker.inMemory()
        try await later.create([topic])
    }

    func recreate() { state.recreate() }

    private func broker(of topic: String) -> EmbeddedBroker {
        topic == self.topic && state.hasNewTopic ? later : broker
    }

    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        let isOld = topic == self.topic && !state.hasNewTopic
        let reader = try await broker(of: topic).reader(topic: topic, from: offsets)
        return isOld ? OldReader(reader, state) : reader
    }

    func find(_ records: [Int32: KnownRecord], in topic: String) async throws -> [Int32: KnownRecord.Finding] {
        let ranges = try await watermarks(topic: topic)
        var findings: [Int32: KnownRecord.Finding] = [:]
        for (partition, record) in records {
            findings[partition] = .other
            guard record.offset < ranges[partition]?.upperBound ?? 0 else { continue }
            let found = try await withReader(topic: topic, from: [partition: record.offset]) {
                try await $0.poll(limit: 1000, wait: .seconds(1))
            }
            let first = found.first { $0.position.partition.partition == partition }
            if first.map(KnownRecord.init) == record { findings[partition] = .same }
        }
        return findings
    }

    func producer() async throws -> any Producer {
        RoutingProducer(
            broker: try await broker.producer(), later: try await later.producer(), topic: topic, state: state)
    }

    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await broker(of: topic).watermarks(topic: topic)
    }

    func clusterID() async throws -> String { try await broker.clusterID() }
    func create(_ topics: [Topic]) async throws { try await broker.create(topics) }

    func close() async {
        await broker.close()
        await later.close()
    }

    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await broker.committed(group: group, topic: topic)
    }

    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await broker.consumer(group: group, topics: topics, inFlight: inFlight)
    }
}

/// A reader of the former topic.
private struct OldReader: Reader {
    private let reader: any Reader
    private let state: RecreatedTopicTransport.State

    init(_ reader: any Reader, _ state: RecreatedTopicTransport.State) {
        self.reader = reader
        self.state = state
    }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        if state.hasNewTopic { throw BrokerError.replaced("the topic was deleted and created again") }
        return try await reader.poll(limit: limit, wait: wait)
    }

    func close() async { await reader.close() }
}

private struct RoutingProducer: Producer {
    let broker: any Producer
    let later: any Producer
    let topic: String
    let state: RecreatedTopicTransport.State

    func send(_ records: [Record], to topic: String) async throws -> [Position] {
        let isNew = topic == self.topic && state.hasNewTopic
        return try await (isNew ? later : broker).send(records, to: topic)
    }

    func close() async {
        await broker.close()
        await later.close()
    }
}
