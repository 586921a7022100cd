import Broker
import KafkaBroker
import SeededRandom
import Synchronization
import Testing

/// Over librdkafka's mock cluster; each test has one of its own.
@Suite("When a cluster fails")
struct KafkaFaultTests {
    private let cluster: MockCluster
    private let topic = "t"

    init() throws {
        cluster = try MockCluster(brokers: 3)
        cluster.create(topic: topic, partitions: 16, copies: 3)
    }

    private func transport(_ properties: [String: String] = [:], times: KafkaSettings.Times = .init()) throws
        -> MockTransport
    {
        var settings = try MockTransport.settings(cluster, properties)
        settings.times = times
        return try MockTransport(cluster, settings)
    }

    private func records(_ numbers: Range<Int>) -> [Record] {
        numbers.map { Record(key: Array("\($0)".utf8), value: Array("\($0)".utf8)) }
    }

    private func take(_ count: Int, from consumer: any GroupConsumer) async throws -> [Delivery] {
        let deadline = ContinuousClock.now + .seconds(40)
        var found: [Delivery] = []
        while found.count < count && ContinuousClock.now < deadline {
            found += try await consumer.poll(limit: count - found.count, wait: .milliseconds(200))
        }
        try #require(found.count == count)
        return found
    }

    @Test("brokers, leaders and members that come and go lose nothing, and commit nothing unfinished")
    func churn() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("kafka churn: seed \(seed)")
        let cluster = cluster
        let churn = Churn(
            topic: topic, group: "g", records: 1000, connect: { try MockTransport(cluster) },
            kill: { await ($0 as? MockTransport)?.kafka.abandon() },
            harm: { random in
                let broker = Int32.random(in: 1...3, using: &random)
                // Not the coordinator: the mock ends the process where a member joins again elsewhere meanwhile.
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    cluster.takeDown(broker: broker)
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...1500, using: &random)))
                    cluster.bringUp(broker: broker)
                case 1: cluster.move(leaderOf: "t", partition: Int32.random(in: 0..<16, using: &random), to: broker)
                default:
                    guard let request = MockCluster.Request.allCases.randomElement(using: &random) else { return }
                    let faults = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                        request.faults[Int.random(in: 0..<request.faults.count, using: &random)]
                    }
                    cluster.inject(faults, into: request)
                }
                try await Task.sleep(for: .milliseconds(Int.random(in: 100...600, using: &random)))
            })
        try await churn.run(seed: seed, within: .seconds(90))
        let transport = try transport()
        for (partition, range) in try await transport.watermarks(topic: topic) {
            #expect(range.lowerBound == 0, "the mock dropped records of partition \(partition)")
        }
        await transport.close()
        let (done, deliveries) = churn.story.state.withLock { ($0.done.count, $0.deliveries) }
        print("kafka churn: \(done) records, \(deliveries) deliveries finished")
    }

    @Test("a producer that died is replaced, and what was sent meanwhile fails or is delivered")
    func deadProducer() async throws {
        let transport = try transport()
        let producer = try await transport.producer()
        _ = try await producer.send(records(0..<10), to: topic)
        for round in 1...3 {
            async let sending = producer.send(records(0..<500), to: topic)
            transport.kafka.provokeProducerDeath()
            do {
                #expect(try await sending.count == 500)
            } catch BrokerError.unavailable {}
            let positions = try await producer.send(records(0..<10), to: topic)
            #expect(positions.count == 10)
            #expect(transport.kafka.statistics.producer.recreations == round)
        }
        await transport.close()
    }

    @Test("what is sent while all brokers are down is delivered when they are back")
    func outage() async throws {
        let transport = try transport(["session.timeout.ms": "8000"])
        let producer = try await transport.producer()
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 100)
        _ = try await producer.send(records(0..<20), to: topic)
        let first = try await take(20, from: consumer)
        cluster.takeDown()
        async let sending = producer.send(records(20..<40), to: topic)
        try await Task.sleep(for: .seconds(4))
        #expect(try await consumer.poll(limit: 10, wait: .milliseconds(10)).isEmpty)
        cluster.bringUp()
        #expect(try await sending.count == 20)
        for delivery in first { await consumer.finish(delivery.position) }
        try await consumer.commit()
        let committed = try await transport.committed(group: "g", topic: topic)
        #expect(committed.values.reduce(0, +) == 20)
        _ = try await take(20, from: consumer)
        await transport.close()
    }

    @Test("a commit without a coordinator waits for the next one")
    func commitWithoutCoordinator() async throws {
        let transport = try transport()
        _ = try await transport.producer().send(records(0..<20), to: topic)
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 100)
        for delivery in try await take(20, from: consumer) { await consumer.finish(delivery.position) }
        cluster.inject(Array(repeating: .notCoordinator, count: 3), into: .offsetCommit)
        try await consumer.commit()
        #expect(try await transport.committed(group: "g", topic: topic).values.reduce(0, +) == 20)
        await transport.close()
    }

    @Test("a group whose coordinator moves goes on with its members, and every offset is told by the new one")
    func movedCoordinator() async throws {
        let transport = try transport(["session.timeout.ms": "8000"])
        let producer = try await transport.producer()
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 100)
        for round in 1...6 {
            _ = try await producer.send(records(0..<20), to: topic)
            for delivery in try await take(20, from: consumer) { await consumer.finish(delivery.position) }
            cluster.move(coordinatorOf: "g", to: Int32(round % 3 + 1))
            try await consumer.commit()
            let committed = try await transport.committed(group: "g", topic: topic)
            #expect(committed.values.reduce(0, +) == Int64(20 * round))
        }
        await transport.close()
    }

    @Test("a consumer that finds no coordinator is made anew, and goes on")
    func lostCoordinator() async throws {
        var times = KafkaSettings.Times()
        times.withoutCoordinator = .seconds(5)
        let transport = try transport(times: times)
        let producer = try await transport.producer()
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 100)
        _ = try await producer.send(records(0..<20), to: topic)
        for delivery in try await take(20, from: consumer) { await consumer.finish(delivery.position) }
        try await consumer.commit()
        cluster.inject(Array(repeating: .noCoordinator, count: 100_000), into: .findCoordinator)
        cluster.inject(Array(repeating: .notCoordinator, count: 100), into: .heartbeat)
        let deadline = ContinuousClock.now + .seconds(30)
        while transport.kafka.statistics.consumers.allSatisfy({ $0.recreations == 0 }) {
            try #require(ContinuousClock.now < deadline)
            _ = try await consumer.poll(limit: 1, wait: .milliseconds(100))
        }
        cluster.clearFaults()
        _ = try await producer.send(records(20..<40), to: topic)
        let texts = try await take(20, from: consumer).compactMap { $0.record.value }
        #expect(Set(texts) == Set(records(20..<40).compactMap(\.value)))
        await transport.close()
    }

    @Test("closing does not wait longer than it may")
    func closing() async throws {
        var times = KafkaSettings.Times()
        times.close = .seconds(3)
        times.lastCommit = .seconds(2)
        let transport = try transport(times: times)
        _ = try await transport.producer().send(records(0..<20), to: topic)
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 100)
        for delivery in try await take(20, from: consumer) { await consumer.finish(delivery.position) }
        cluster.takeDown()
        let start = ContinuousClock.now
        await consumer.close()
        await transport.close()
        #expect(ContinuousClock.now - start < .seconds(10))
        cluster.bringUp()
    }

    @Test("a job longer than the session and the window's end keeps its member in the group, and runs once")
    func longJob() async throws {
        let transport = try transport()
        _ = try await transport.producer().send(records(0..<2000), to: topic)
        let consumer = try await transport.consumer(group: "g", topics: [topic], inFlight: 1)
        let job = try await take(1, from: consumer)
        try await Task.sleep(for: .seconds(8))
        await consumer.finish(job[0].position)
        let next = try await take(1, from: consumer)
        #expect(next[0].position != job[0].position)
        try await consumer.commit()
        #expect(transport.kafka.statistics.consumers.map(\.rebalances) == [1])
        await transport.close()
    }

    @Test("a member that is asked for nothing for too long gives its partitions up, and joins again when it is asked")
    func silence() async throws {
        let quiet = try transport(["max.poll.interval.ms": "4000"])
        _ = try await quiet.producer().send(records(0..<40), to: topic)
        let consumer = try await quiet.consumer(group: "g", topics: [topic], inFlight: 100)
        _ = try await take(40, from: consumer)
        let other = try transport()
        let second = try await other.consumer(group: "g", topics: [topic], inFlight: 100)
        _ = try await take(40, from: second)
        #expect(await second.assignment().count == 16)
        #expect(await consumer.assignment().isEmpty)
        let deadline = ContinuousClock.now + .seconds(30)
        while await consumer.assignment().isEmpty {
            try #require(ContinuousClock.now < deadline)
            _ = try await consumer.poll(limit: 0, wait: .milliseconds(100))
            _ = try await second.poll(limit: 0, wait: .milliseconds(10))
        }
        await quiet.close()
        await other.close()
    }
}

extension MockCluster.Request {
    /// Errors that a broker would answer this request with, and that pass.
    fileprivate var faults: [MockCluster.Fault] {
        switch self {
        case .produce: [.disconnect, .notLeader, .notEnoughReplicas]
        case .fetch, .listOffsets: [.disconnect, .notLeader]
        case .offsetCommit, .offsetFetch, .joinGroup, .heartbeat, .syncGroup:
            [.disconnect, .notCoordinator, .coordinatorLoading]
        case .findCoordinator: [.disconnect, .noCoordinator]
        case .metadata, .initProducerID: [.disconnect]
        }
    }
}
