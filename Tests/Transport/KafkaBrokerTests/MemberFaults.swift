import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import SeededRandom
import Testing

extension FaultScenario {
    /// Members that are slow or silent, or that leave.
    static let memberFaults = [
        FaultScenario("closing ends within its time limit") { bench in
            var times = KafkaSettings.Times()
            times.close = .seconds(3)
            times.lastCommit = .seconds(2)
            let transport = try bench.transport(times: times)
            _ = try await transport.producer().send(bench.records(0..<20), to: bench.topic)
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            for delivery in try await bench.take(20, from: consumer) { await consumer.finish(delivery.position) }
            bench.cluster.takeDown()
            let start = ContinuousClock.now
            await consumer.close()
            await transport.close()
            #expect(ContinuousClock.now - start < .seconds(30))
            bench.cluster.bringUp()
        },
        FaultScenario("a member whose request to join or to get partitions is refused tries again") { bench in
            let transport = try bench.transport(["session.timeout.ms": "8000"])
            _ = try await transport.producer().send(bench.records(0..<20), to: bench.topic)
            bench.cluster.inject([.coordinatorLoading, .notCoordinator, .disconnect], into: .joinGroup)
            bench.cluster.inject([.disconnect, .notCoordinator], into: .syncGroup)
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            for delivery in try await bench.take(20, from: consumer) { await consumer.finish(delivery.position) }
            try await consumer.commit()
            #expect(try await transport.committed(group: "g", topic: bench.topic).values.reduce(0, +) == 20)
            await transport.close()
        },
        FaultScenario("a member stays in its group during a job that outlasts its session, and the job runs once") {
            bench in
            let transport = try bench.transport()
            _ = try await transport.producer().send(bench.records(0..<2000), to: bench.topic)
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 1)
            let job = try await bench.take(1, from: consumer)
            // A session lasts 6 seconds.
            try await waitUntil("a job that outlasts its session") {
                transport.kafka.statistics.consumers.contains { $0.oldestPending > .seconds(7) }
            }
            let figures = try #require(transport.kafka.statistics.consumers.first)
            #expect(figures.inFlight == 1 && figures.oldestPending > .seconds(7))
            #expect(figures.lag.count == 16 && figures.lag.values.reduce(0, +) == 2000)
            await consumer.finish(job[0].position)
            let next = try await bench.take(1, from: consumer)
            #expect(next[0].position != job[0].position)
            try await consumer.commit()
            #expect(transport.kafka.statistics.consumers.map(\.rebalances) == [1])
            #expect(transport.kafka.statistics.consumers.map(\.violations) == [0])
            await transport.close()
        },
        FaultScenario(
            "a member that is not polled for too long gives up its partitions, and joins again when it is polled"
        ) { bench in
            var times = KafkaSettings.Times()
            times.maxIdle = .seconds(4)
            let quiet = try bench.transport(times: times)
            _ = try await quiet.producer().send(bench.records(0..<40), to: bench.topic)
            let consumer = try await quiet.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            _ = try await bench.take(40, from: consumer)
            let other = try bench.transport()
            let second = try await other.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            _ = try await bench.take(40, from: second)
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
        },
        FaultScenario("released records go to the next member, and the rebalance does not wait for them") {
            bench in
            let (transport, first, positions) = try await bench.member(of: "g", workingOn: 40)
            let other = try bench.transport()
            let second = try await other.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            await first.onRevocation { taken in Set(positions.filter { taken.contains($0.partition) }) }
            try await share(first, second)
            let moved = await second.assignment()
            let expected = positions.count { moved.contains($0.partition) }
            #expect(expected > 0)
            _ = try await bench.take(expected, from: second)
            await transport.close()
            await other.close()
        },
        FaultScenario("a member can leave its group at once without a broker, and rejoins when one is back") {
            bench in
            let (transport, consumer, positions) = try await bench.member(of: "g", workingOn: 40)
            bench.cluster.takeDown()
            let start = ContinuousClock.now
            await consumer.onRevocation { _ in Set(positions) }
            await consumer.leave()
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(await consumer.assignment().isEmpty)
            await consumer.rejoin()
            bench.cluster.bringUp()
            _ = try await bench.take(40, from: consumer)
            await transport.close()
        },
        FaultScenario("a member can leave and rejoin at any moment of a rebalance") { bench in
            let transport = try bench.transport()
            _ = try await transport.producer().send(bench.records(0..<40), to: bench.topic)
            let restless = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 40)
            let calm = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 40)
            var random = SeededGenerator()
            print("leaves and joins by seed \(random.seed)")
            for _ in 0..<12 {
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...900, using: &random)))
                await restless.leave()
                #expect(await restless.assignment().isEmpty)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0...2, using: &random) * 200))
                await restless.rejoin()
            }
            try await share(restless, calm)
            var seen: Set<Position> = []
            let deadline = ContinuousClock.now + .seconds(60)
            while seen.count < 40 {
                try #require(ContinuousClock.now < deadline)
                for member in [restless, calm] {
                    seen.formUnion(try await member.poll(limit: 40, wait: .milliseconds(50)).map(\.position))
                }
            }
            await transport.close()
        },
        FaultScenario("a member that gets no response to its request to join tries again") { bench in
            var times = KafkaSettings.Times()
            times.rebalance = .seconds(4)
            let transport = try bench.transport(times: times)
            _ = try await transport.producer().send(bench.records(0..<20), to: bench.topic)
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            // The mock responds to a new group's first member 3 seconds after its request. The delay makes that response
            // too late. The times are part of the fault: the mock does not show which requests it holds.
            try await Task.sleep(for: .seconds(1))
            bench.cluster.delay(by: .seconds(300))
            try await Task.sleep(for: .seconds(4))
            #expect(await consumer.assignment().isEmpty)
            bench.cluster.delay(by: .zero)
            _ = try await bench.take(20, from: consumer)
            await transport.close()
        },
    ]
}

extension FaultBench {
    /// The only member of a group, with all records of the topic delivered to it.
    fileprivate func member(
        of group: String, workingOn count: Int
    ) async throws -> (MockTransport, any GroupConsumer, [Position]) {
        let transport = try transport()
        _ = try await transport.producer().send(records(0..<count), to: topic)
        let consumer = try await transport.consumer(group: group, topics: [topic], inFlight: count)
        return (transport, consumer, try await take(count, from: consumer).map(\.position))
    }
}

/// Returns when both members have partitions.
func share(_ first: any GroupConsumer, _ second: any GroupConsumer) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while true {
        let (here, there) = (await first.assignment(), await second.assignment())
        if !here.isEmpty, !there.isEmpty, here.isDisjoint(with: there) { return }
        try #require(ContinuousClock.now < deadline)
        try await Task.sleep(for: .milliseconds(20))
    }
}
