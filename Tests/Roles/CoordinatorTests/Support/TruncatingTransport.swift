import Broker

/// A broker that removed records before they were read, as a retention limit does: its partitions are empty and begin
/// after the committed offsets.
struct TruncatingTransport: Transport {
    let broker: EmbeddedBroker
    /// The topics whose records are gone.
    let topics: [String]

    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        let ranges = try await broker.watermarks(topic: topic)
        return topics.contains(topic) ? ranges.mapValues { $0.upperBound..<$0.upperBound } : ranges
    }

    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await broker.committed(group: group, topic: topic).mapValues { max(0, $0 - 1) }
    }

    func clusterID() async throws -> String { try await broker.clusterID() }
    func create(_ topics: [Topic]) async throws { try await broker.create(topics) }
    func producer() async throws -> any Producer { try await broker.producer() }
    func close() async { await broker.close() }

    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await broker.consumer(group: group, topics: topics, inFlight: inFlight)
    }

    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        try await broker.reader(topic: topic, from: offsets)
    }
}
