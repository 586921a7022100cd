import Broker
import KafkaBroker
import MockKafka
import SeededRandom
import Synchronization
import Testing

extension FaultScenario {
    static let churn = FaultScenario(
        "while members and brokers come and go, no record is lost and no unfinished one committed"
    ) {
        bench in
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kafka churn: seed \(seed)")
        let cluster = bench.cluster
        cluster.move(coordinatorOf: "g", to: coordinator)
        let churn = Churn(
            topic: bench.topic, group: "g", records: 1000, lives: 500...5000,
            connect: { try MockTransport(cluster, MockTransport.settings(cluster, quick)) },
            kill: { await ($0 as? MockTransport)?.kafka.abandon() },
            harm: { random in try await harm(cluster, bench.topic, &random) })
        try await churn.run(seed: seed, harmed: .seconds(12), within: .seconds(60))
        let transport = try bench.transport()
        for (partition, range) in try await transport.watermarks(topic: bench.topic) {
            #expect(range.lowerBound == 0, "seed \(seed): the mock dropped records of partition \(partition)")
        }
        await transport.close()
        let (done, deliveries) = churn.history.state.withLock { ($0.done.count, $0.deliveries) }
        print("kafka churn: \(done) records, \(deliveries) deliveries finished")
    }
}

/// The mock responds to a new group's first member after 3 seconds. With a shorter session, the member would time out
/// before that.
private let quick = ["session.timeout.ms": "4000", "reconnect.backoff.max.ms": "300"]

/// The broker that coordinates the group. It stays up, and members' requests to it succeed, because of a limit of the
/// mock: it identifies members by their addresses in memory. If a member that timed out returns after its address was
/// used again, the mock ends the process. Failures of coordinators are tested with a real Kafka.
private let coordinator: Int32 = 1
private let groupRequests: [MockCluster.Request] = [.findCoordinator, .joinGroup, .heartbeat, .syncGroup]

private func harm(_ cluster: MockCluster, _ topic: String, _ random: inout SeededGenerator) async throws {
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
        let broker = Int32.random(in: coordinator + 1...3, using: &random)
        cluster.takeDown(broker: broker)
        try await Task.sleep(for: .milliseconds(Int.random(in: 100...1500, using: &random)))
        cluster.bringUp(broker: broker)
    case 1:
        let partition = Int32.random(in: 0..<16, using: &random)
        cluster.move(leaderOf: topic, partition: partition, to: Int32.random(in: 1...3, using: &random))
    default:
        let requests = MockCluster.Request.allCases.filter { !groupRequests.contains($0) }
        guard let request = requests.randomElement(using: &random) else { return }
        let faults = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            request.transientFaults[Int.random(in: 0..<request.transientFaults.count, using: &random)]
        }
        cluster.inject(faults, into: request)
    }
    try await Task.sleep(for: .milliseconds(Int.random(in: 100...600, using: &random)))
}
