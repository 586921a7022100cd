import ExternalTools
import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

@Suite("Failures of a cluster")
struct KafkaFaultTests {
    /// Runs all scenarios at once, each with its own mock cluster, because they mostly wait.
    @Test("No record is lost, no unfinished record is committed, and the clients recover automatically", .night)
    func faults() async {
        let scenarios = [FaultScenario.churn] + FaultScenario.clusterFaults + FaultScenario.memberFaults
        await runConcurrently(scenarios, atOnce: scenarios.count) { scenario in
            do { try await scenario.run() } catch { Issue.record("\(scenario.name): \(error)") }
        }
    }
}

/// A failure, and the requirements that hold nevertheless.
struct FaultScenario: Sendable {
    /// The requirement as a sentence.
    let name: String
    private let body: @Sendable (FaultBench) async throws -> Void

    init(_ name: String, body: @escaping @Sendable (FaultBench) async throws -> Void) {
        self.name = name
        self.body = body
    }

    func run() async throws {
        let bench = try FaultBench()
        let start = ContinuousClock.now
        try await withDeadline(.seconds(80), name) { try await body(bench) }
        print("fault: \(name): \((ContinuousClock.now - start).components.seconds) s")
    }
}

/// A mock cluster of three brokers with a topic of 16 partitions.
struct FaultBench: Sendable {
    let cluster: MockCluster
    let topic = "t"

    init() throws {
        cluster = try MockCluster(brokers: 3)
        cluster.create(topic: topic, partitions: 16, replicas: 3)
    }

    func transport(_ properties: [String: String] = [:], times: KafkaSettings.Times = .init()) throws
        -> MockTransport
    {
        var settings = try MockTransport.settings(cluster, properties)
        settings.times = times
        return try MockTransport(cluster, settings)
    }

    func records(_ numbers: Range<Int>) -> [Record] {
        numbers.map { Record(key: Array("\($0)".utf8), value: Array("\($0)".utf8)) }
    }

    func take(_ count: Int, from consumer: any GroupConsumer) async throws -> [Delivery] {
        let deadline = ContinuousClock.now + .seconds(40)
        var found: [Delivery] = []
        while found.count < count && ContinuousClock.now < deadline {
            found += try await consumer.poll(limit: count - found.count, wait: .milliseconds(200))
        }
        try #require(found.count == count)
        return found
    }
}
