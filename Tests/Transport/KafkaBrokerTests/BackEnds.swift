import Broker
import BrokerConformance
import Foundation
import KafkaBroker
import MockKafka

/// A transport to a mock cluster. The mock has no topic administration, so topics are created through its own API.
final class MockTransport: Transport {
    let cluster: MockCluster
    let kafka: KafkaTransport

    init(_ cluster: MockCluster, _ settings: KafkaSettings? = nil) throws {
        self.cluster = cluster
        cluster.create(topic: KafkaTransport.incarnationTopic.name, partitions: 1)
        kafka = try KafkaTransport(settings ?? Self.settings(cluster))
    }

    /// Settings with short waits and sessions, because in the mock an empty fetch sleeps for its whole wait, and a
    /// rebalance lasts for a whole session.
    static func settings(_ cluster: MockCluster, _ more: [String: String] = [:]) throws -> KafkaSettings {
        var properties = KafkaProperties()
        let quick = ["fetch.wait.max.ms": "10", "session.timeout.ms": "3500", "heartbeat.interval.ms": "300"]
        for (name, value) in quick.merging(more, uniquingKeysWith: { $1 }) {
            try properties.set(name, to: value, from: .settingsFile)
        }
        return KafkaSettings(try KafkaAddress("kafka://\(cluster.servers)"), properties: properties)
    }

    func create(_ topics: [Topic]) async throws {
        for topic in topics { cluster.create(topic: topic.name, partitions: topic.partitions) }
        try await kafka.create(topics)
    }

    func clusterID() async throws -> String { try await kafka.clusterID() }
    func producer() async throws -> any Producer { try await kafka.producer() }

    func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        try await kafka.consumer(group: group, topics: topics, inFlight: inFlight)
    }

    func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        try await kafka.reader(topic: topic, from: offsets)
    }

    func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader {
        try await kafka.reader(topic: topic, continuing: position)
    }

    func find(
        _ records: [Int32: KnownRecord], in topic: String
    ) async throws -> [Int32: KnownRecord.Finding] { try await kafka.find(records, in: topic) }

    func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await kafka.watermarks(topic: topic)
    }

    func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await kafka.committed(group: group, topic: topic)
    }

    func close() async { await kafka.close() }
}

enum BackEnds {
    static let mock = BackEnd(name: "mock", capabilities: [.survivesCrash, .forgetsTopics]) {
        let cluster = try MockCluster(brokers: 3)
        let transport = try MockTransport(cluster)
        return BackEnd.Connection(transport: transport) {
            await transport.kafka.abandon()
            return try MockTransport(cluster)
        }
    }

    /// The servers of an external cluster: `RAWMILL_TEST_KAFKA=host:port[,host:port]`.
    static let externalServers = ProcessInfo.processInfo.environment["RAWMILL_TEST_KAFKA"]

    static func realSettings(_ servers: String, _ more: [String: String] = [:]) throws -> KafkaSettings {
        var properties = KafkaProperties()
        // Short, but long enough for a machine whose cores are all busy.
        let quick = ["session.timeout.ms": "10000", "heartbeat.interval.ms": "500"]
        for (name, value) in quick.merging(more, uniquingKeysWith: { $1 }) {
            try properties.set(name, to: value, from: .settingsFile)
        }
        return KafkaSettings(try KafkaAddress("kafka://\(servers)"), properties: properties)
    }

    /// Settings for a connection over TLS.
    static func secureSettings(
        _ kafka: RealKafka, mechanism: String = "PLAIN", password: String = RealKafka.password
    ) throws -> KafkaSettings {
        try realSettings(
            kafka.secureServer,
            [
                "security.protocol": "sasl_ssl", "ssl.ca.location": kafka.folder + "/ca.pem",
                "sasl.mechanism": mechanism, "sasl.username": RealKafka.userName, "sasl.password": password,
            ])
    }

    static func real(_ settings: KafkaSettings) -> BackEnd {
        BackEnd(name: "kafka", capabilities: [.survivesCrash, .forgetsTopics, .commitsWhileRebalancing]) {
            let transport = try KafkaTransport(settings)
            return BackEnd.Connection(transport: transport) {
                await transport.abandon()
                return try KafkaTransport(settings)
            }
        }
    }
}
