import Broker
import KafkaBroker
import SeededRandom
import Synchronization
import Testing

@Suite("Members and brokers that come and go")
struct MockChurnTests {
    @Test("lose nothing and commit nothing unfinished, over librdkafka's mock cluster")
    func churn() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kafka churn: seed \(seed)")
        let bench = try FaultBench()
        let cluster = bench.cluster
        let churn = Churn(
            topic: bench.topic, group: "g", records: 1000, lives: 500...5000,
            connect: { try MockTransport(cluster, MockTransport.settings(cluster, ["session.timeout.ms": "2000"])) },
            kill: { await ($0 as? MockTransport)?.kafka.abandon() },
            harm: { random in try await harm(cluster, bench.topic, &random) })
        try await churn.run(seed: seed, harmed: .seconds(12), within: .seconds(60))
        let transport = try bench.transport()
        for (partition, range) in try await transport.watermarks(topic: bench.topic) {
            #expect(range.lowerBound == 0, "the mock dropped records of partition \(partition)")
        }
        await transport.close()
        let (done, deliveries) = churn.story.state.withLock { ($0.done.count, $0.deliveries) }
        print("kafka churn: \(done) records, \(deliveries) deliveries finished")
    }
}

/// Not the coordinator's move: the mock ends the process where a member joins again elsewhere meanwhile.
private func harm(_ cluster: MockCluster, _ topic: String, _ random: inout SeededGenerator) async throws {
    let broker = Int32.random(in: 1...3, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
        cluster.takeDown(broker: broker)
        try await Task.sleep(for: .milliseconds(Int.random(in: 100...1500, using: &random)))
        cluster.bringUp(broker: broker)
    case 1: cluster.move(leaderOf: topic, partition: Int32.random(in: 0..<16, using: &random), to: broker)
    default:
        guard let request = MockCluster.Request.allCases.randomElement(using: &random) else { return }
        let faults = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            request.faults[Int.random(in: 0..<request.faults.count, using: &random)]
        }
        cluster.inject(faults, into: request)
    }
    try await Task.sleep(for: .milliseconds(Int.random(in: 100...600, using: &random)))
}
