import Broker
import BrokerConformance
import ExternalTools
import Foundation
import KafkaBroker
import Testing

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

    /// Runs both connections at once, because they mostly wait. No case uses names of another one.
    @Test("The Kafka transport conforms, in plain text and over TLS with SASL")
    func conformance() async throws {
        async let plain: Void = hold(try BackEnds.realSettings(kafka.servers), "plain")
        async let secure: Void = hold(try BackEnds.secureSettings(kafka), "TLS with SASL")
        _ = try await (plain, secure)
    }

    private func hold(_ settings: KafkaSettings, _ way: String) async {
        await BrokerConformance.run(on: BackEnds.real(settings)) { Issue.record("\(way): \($0): \($1)") }
    }

    @Test("A refused password is reported, with the remedy for librdkafka's wrong SCRAM nonce")
    func refused() async throws {
        let password = "not the password"
        for (mechanism, reason) in [("PLAIN", "does not let this user in"), ("SCRAM-SHA-512", "wrong nonce")] {
            let settings = try BackEnds.secureSettings(kafka, mechanism: mechanism, password: password)
            let transport = try KafkaTransport(settings)
            let error = await #expect(throws: BrokerError.self) { try await transport.watermarks(topic: "any") }
            let text = "\(try #require(error))"
            #expect(text.contains(reason))
            #expect(!text.contains(password))
            await transport.close()
        }
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

    @Test("No record is lost when the broker is killed and restarted while members join and leave")
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
