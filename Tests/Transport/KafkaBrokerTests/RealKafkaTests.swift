import Broker
import BrokerConformance
import ExternalTools
import Foundation
import Testing

@testable import KafkaBroker

/// Tests a cluster that is already running: `RAWMILL_TEST_KAFKA=host:port[,host:port]`.
@Suite(
    "Broker conformance of an external cluster", .serialized,
    .enabled(if: BackEnds.externalServers != nil, "RAWMILL_TEST_KAFKA=host:port is not set"))
struct ExternalKafkaTests {
    @Test("The Kafka transport conforms, with an external cluster")
    func external() async throws {
        let settings = try BackEnds.realSettings(try #require(BackEnds.externalServers))
        await BrokerConformance.run(on: BackEnds.real(settings)) { Issue.record("\($0): \($1)") }
    }
}

@Suite(
    "A real Kafka of one broker", .serialized, .needs(.kafka), .needs(.program("openssl")), .needs(.program("bash")),
    .brokers(1))
struct RealKafkaTests {
    private let kafka: RealKafka

    init() throws { kafka = try #require(WithBrokers.kafka) }

    /// Runs both connections at once, because they mostly wait. Each case uses its own names.
    @Test("The Kafka transport conforms, in plain text and over TLS with SASL")
    func conformance() async throws {
        async let plain: Void = hold(try BackEnds.realSettings(kafka.servers), "plain")
        async let secure: Void = hold(try BackEnds.secureSettings(kafka), "TLS with SASL")
        _ = try await (plain, secure)
    }

    private func hold(_ settings: KafkaSettings, _ way: String) async {
        await BrokerConformance.run(on: BackEnds.real(settings)) { Issue.record("\(way): \($0): \($1)") }
    }

    @Test("A refused password is reported, with the remedy if librdkafka's wrong SCRAM nonce may be the cause")
    func refused() async throws {
        let password = "not the password"
        for mechanism in ["PLAIN", "SCRAM-SHA-512"] {
            let settings = try BackEnds.secureSettings(kafka, mechanism: mechanism, password: password)
            let transport = try KafkaTransport(settings)
            let error = await #expect(throws: BrokerError.self) { try await transport.watermarks(topic: "any") }
            let text = "\(try #require(error))"
            #expect(text.contains("does not let this user in"))
            #expect(text.contains("wrong nonce") == (mechanism != "PLAIN" && !KafkaLibrary.hasWorkingSCRAM))
            #expect(!text.contains(password))
            await transport.close()
        }
    }

    @Test("Deleted records are gone, the others stay, and a remembered record does not change the topic's identity")
    func deletion() async throws {
        let transport = try KafkaTransport(BackEnds.realSettings(kafka.servers))
        let topic = Topic(name: "deletion-\(UUID())", partitions: 2, retention: .untilConsumed)
        try await transport.create([topic])
        try await transport.withProducer { producer in
            let records = (0..<40).map { Record(key: [UInt8($0)], value: [UInt8($0)]) }
            _ = try await producer.send(records, to: topic.name)
        }
        let before = try await transport.watermarks(topic: topic.name)
        let first = try await transport.firstRecords(of: topic.name, at: [0: 0, 1: 0]).mapValues { KnownRecord($0) }
        #expect(try await transport.find(first, in: topic.name) == [0: .same, 1: .same])
        let end = try #require(before[1]).upperBound
        #expect(try await transport.deleteRecords(of: topic.name, before: [0: 2, 1: end]) == [0: 2, 1: end])
        let after = try await transport.watermarks(topic: topic.name)
        #expect(after == [0: 2..<(before[0]?.upperBound ?? 0), 1: end..<end])
        #expect(try await transport.find(first, in: topic.name) == [0: .removed, 1: .removed])
        #expect(try await transport.firstRecords(of: topic.name, at: [0: 0])[0]?.position.offset == 2)
        // Again, and further back: there is nothing left to delete.
        #expect(try await transport.deleteRecords(of: topic.name, before: [0: 1]) == [0: 2])
        await #expect(throws: BrokerError.self) {
            try await transport.deleteRecords(of: topic.name, before: [0: 1_000_000])
        }
        await #expect(throws: BrokerError.self) {
            try await transport.deleteRecords(of: topic.name, before: [7: 1])
        }
        await #expect(throws: BrokerError.self) {
            try await transport.deleteRecords(of: "missing-\(UUID())", before: [0: 1])
        }
        await transport.close()
    }

    @Test("SCRAM accepts the right password, except with a librdkafka that the error names")
    func scram() async throws {
        try await kafka.allowSCRAM()
        let transport = try KafkaTransport(BackEnds.secureSettings(kafka, mechanism: "SCRAM-SHA-512"))
        if KafkaLibrary.hasWorkingSCRAM {
            try await transport.create([Topic(name: "scram", partitions: 1, retention: .untilConsumed)])
            _ = try await transport.producer().send([Record(key: [1], value: [2])], to: "scram")
            #expect(try await transport.watermarks(topic: "scram") == [0: 0..<1])
        } else {
            let error = await #expect(throws: BrokerError.self) { try await transport.watermarks(topic: "scram") }
            let text = "\(try #require(error))"
            #expect(text.contains("librdkafka \(KafkaLibrary.version) sends SCRAM a wrong nonce"))
        }
        await transport.close()
    }

    /// The mock cannot test this, because it refuses commits while a group rebalances.
    @Test("A member finishes and commits its records in flight before partitions move, so none is repeated")
    func handsOver() async throws {
        let (first, second) = (
            try KafkaTransport(BackEnds.realSettings(kafka.servers)),
            try KafkaTransport(BackEnds.realSettings(kafka.servers))
        )
        try await first.create([Topic(name: "handed-over", partitions: 8, retention: .untilConsumed)])
        let records = (0..<40).map { Record(key: Array("\($0)".utf8), value: []) }
        _ = try await first.producer().send(records, to: "handed-over")
        let old = try await first.consumer(group: "g", topics: ["handed-over"], inFlight: 40)
        var begun: [Position] = []
        while begun.count < 40 { begun += try await old.poll(limit: 40, wait: .seconds(1)).map(\.position) }
        let positions = begun
        await old.onRevocation { _ in
            // Finish the records a moment later, as a worker does when its renders end.
            Task {
                try await Task.sleep(for: .milliseconds(500))
                for position in positions { await old.finish(position) }
            }
            return []
        }
        let new = try await second.consumer(group: "g", topics: ["handed-over"], inFlight: 40)
        try await share(old, new)
        #expect(try await new.poll(limit: 40, wait: .seconds(2)).isEmpty)
        await first.close()
        await second.close()
    }

    @Test("The partitions of a static member move as soon as it leaves, before its session ends")
    func staticMemberLeaves() async throws {
        let long = ["session.timeout.ms": "120000"]
        var settings = [try BackEnds.realSettings(kafka.servers, long), try BackEnds.realSettings(kafka.servers, long)]
        for index in settings.indices { settings[index].instanceID = "node\(index)" }
        let (first, second) = (try KafkaTransport(settings[0]), try KafkaTransport(settings[1]))
        try await first.create([Topic(name: "left", partitions: 8, retention: .untilConsumed)])
        let leaving = try await first.consumer(group: "left", topics: ["left"], inFlight: 40)
        let staying = try await second.consumer(group: "left", topics: ["left"], inFlight: 40)
        try await share(leaving, staying)
        for _ in 0..<2 {
            await leaving.leave()
            let deadline = ContinuousClock.now + .seconds(60)
            while await staying.assignment().count < 8 {
                try #require(ContinuousClock.now < deadline)
                _ = try await staying.poll(limit: 0, wait: .milliseconds(50))
            }
            await leaving.rejoin()
            try await share(leaving, staying)
        }
        await first.close()
        await second.close()
    }

    @Test(
        "A reader ends when its topic is deleted and recreated with as many records, and the next begins anew",
        .enabled(
            if: KafkaLibrary.survivesRecreatedTopics,
            "librdkafka \(KafkaLibrary.version) may crash when a topic is deleted and created again"))
    func topicReplaced() async throws {
        var settings = try BackEnds.realSettings(kafka.servers)
        settings.times.topicCheck = .milliseconds(200)
        let transport = try KafkaTransport(settings)
        let topic = Topic(name: "replaced", partitions: 1, retention: .forever)
        func fill(_ word: String, _ count: Int) async throws {
            try await transport.create([topic])
            let records = (0..<count).map { Record(key: [], value: Array("\(word) \($0)".utf8)) }
            _ = try await transport.withProducer { try await $0.send(records, to: topic.name) }
        }
        try await fill("first", 20)
        var position = StoredPosition(cluster: try await transport.clusterID())
        let reader = try await transport.reader(topic: topic.name, continuing: position)
        while position.next[0] ?? 0 < 20 {
            for delivery in try await reader.poll(limit: 100, wait: .seconds(1)) {
                position.next[0] = delivery.position.offset + 1
                position.known[0] = position.known[0] ?? KnownRecord(delivery)
            }
        }
        try await kafka.deleteTopic(topic.name)
        try await fill("second", 50)
        // It may read some of the new topic's records before it notices.
        await #expect(throws: BrokerError.replacedTopic(topic.name)) {
            try await withDeadline(.seconds(60), "noticing the new topic") {
                while true { _ = try await reader.poll(limit: 100, wait: .seconds(1)) }
            }
        }
        #expect(try await transport.changes(of: topic.name, since: position) == [0: .other])
        position.forget(0)
        let next = try await transport.reader(topic: topic.name, continuing: position)
        let first = try await next.poll(limit: 1, wait: .seconds(30)).first
        #expect(first?.record.value == Array("second 0".utf8))
        await transport.close()
    }

    @Test("No record is lost when the broker is killed and restarted while members join and leave", .night)
    func killed() async throws {
        try await RealChurn.run(kafka, records: 1500, harmed: .seconds(20), within: .seconds(75))
    }
}

/// These tests take minutes and a gigabyte, so they run only with `RAWMILL_TEST_KAFKA_BROKERS=3`.
@Suite(
    "A real Kafka of three brokers", .serialized,
    .enabled(
        if: ProcessInfo.processInfo.environment["RAWMILL_TEST_KAFKA_BROKERS"] == "3",
        "RAWMILL_TEST_KAFKA_BROKERS=3 is not set"),
    .needs(.kafka), .brokers(3))
struct RealClusterTests {
    @Test("No record is lost when leaders are killed and restarted while members join and leave")
    func killed() async throws {
        try await RealChurn.run(
            try #require(WithBrokers.kafka), records: 3000, harmed: .seconds(60), within: .seconds(150))
    }
}
