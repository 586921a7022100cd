import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

extension FaultScenario {
    /// Failures of brokers.
    static let clusterFaults = [
        FaultScenario("a dead producer is replaced, and each record sent meanwhile is delivered or its sending fails") {
            bench in
            let transport = try bench.transport()
            let producer = try await transport.producer()
            _ = try await producer.send(bench.records(0..<10), to: bench.topic)
            for round in 1...3 {
                // This error is fatal to an idempotent producer.
                bench.cluster.inject([.outOfOrderSequence], into: .produce)
                await #expect(throws: BrokerError.self) {
                    try await producer.send(bench.records(0..<500), to: bench.topic)
                }
                let positions = try await producer.send(bench.records(0..<10), to: bench.topic)
                #expect(positions.count == 10)
                #expect(transport.kafka.statistics.producer.recreations == round)
            }
            await transport.close()
        },
        FaultScenario("records that are sent while all brokers are down are delivered once they are up") { bench in
            let transport = try bench.transport(["session.timeout.ms": "8000"])
            let producer = try await transport.producer()
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            _ = try await producer.send(bench.records(0..<20), to: bench.topic)
            let first = try await bench.take(20, from: consumer)
            bench.cluster.takeDown()
            async let sending = producer.send(bench.records(20..<40), to: bench.topic)
            try await waitUntil("the loss of all brokers") {
                transport.kafka.statistics.consumers.allSatisfy { !$0.isConnected }
            }
            #expect(try await consumer.poll(limit: 10, wait: .milliseconds(10)).isEmpty)
            bench.cluster.bringUp()
            #expect(try await sending.count == 20)
            for delivery in first { await consumer.finish(delivery.position) }
            try await consumer.commit()
            let committed = try await transport.committed(group: "g", topic: bench.topic)
            #expect(committed.values.reduce(0, +) == 20)
            _ = try await bench.take(20, from: consumer)
            await transport.close()
        },
        FaultScenario("a commit without a coordinator waits for a new one") { bench in
            let transport = try bench.transport()
            _ = try await transport.producer().send(bench.records(0..<20), to: bench.topic)
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            for delivery in try await bench.take(20, from: consumer) { await consumer.finish(delivery.position) }
            bench.cluster.inject(Array(repeating: .notCoordinator, count: 3), into: .offsetCommit)
            try await consumer.commit()
            #expect(try await transport.committed(group: "g", topic: bench.topic).values.reduce(0, +) == 20)
            await transport.close()
        },
        FaultScenario(
            "a group keeps its members and offsets when its coordinator moves"
        ) { bench in
            let transport = try bench.transport(["session.timeout.ms": "8000"])
            let producer = try await transport.producer()
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            for round in 1...6 {
                _ = try await producer.send(bench.records(0..<20), to: bench.topic)
                for delivery in try await bench.take(20, from: consumer) { await consumer.finish(delivery.position) }
                bench.cluster.move(coordinatorOf: "g", to: Int32(round % 3 + 1))
                try await consumer.commit()
                let committed = try await transport.committed(group: "g", topic: bench.topic)
                #expect(committed.values.reduce(0, +) == Int64(20 * round))
            }
            await transport.close()
        },
        FaultScenario("a consumer that finds no coordinator is replaced, and continues") { bench in
            var times = KafkaSettings.Times()
            times.maxDisconnection = .seconds(5)
            let transport = try bench.transport(times: times)
            let producer = try await transport.producer()
            let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            _ = try await producer.send(bench.records(0..<20), to: bench.topic)
            for delivery in try await bench.take(20, from: consumer) { await consumer.finish(delivery.position) }
            try await consumer.commit()
            bench.cluster.inject(Array(repeating: .noCoordinator, count: 100_000), into: .findCoordinator)
            bench.cluster.inject(Array(repeating: .notCoordinator, count: 100), into: .heartbeat)
            let deadline = ContinuousClock.now + .seconds(30)
            while transport.kafka.statistics.consumers.allSatisfy({ $0.recreations == 0 }) {
                try #require(ContinuousClock.now < deadline)
                _ = try await consumer.poll(limit: 1, wait: .milliseconds(100))
            }
            bench.cluster.clearFaults()
            _ = try await producer.send(bench.records(20..<40), to: bench.topic)
            let texts = try await bench.take(20, from: consumer).compactMap { $0.record.value }
            #expect(Set(texts) == Set(bench.records(20..<40).compactMap(\.value)))
            await transport.close()
        },
        FaultScenario("watermarks are correct although brokers refuse the first requests for them") {
            bench in
            let transport = try bench.transport()
            let positions = try await transport.producer().send(bench.records(0..<200), to: bench.topic)
            let counts = Dictionary(grouping: positions, by: \.partition.partition).mapValues { Int64($0.count) }
            for round in 0..<60 {
                let fault: MockCluster.Fault = round % 5 == 0 ? .disconnect : .notLeader
                bench.cluster.inject([fault], into: .listOffsets)
                for (partition, range) in try await transport.watermarks(topic: bench.topic) {
                    #expect(range == 0..<counts[partition, default: 0], "partition \(partition) in round \(round)")
                }
            }
            await transport.close()
        },
        FaultScenario("a consumer that cannot get its group's offsets is replaced, and continues from them") {
            bench in
            var times = KafkaSettings.Times()
            times.request = .seconds(2)
            times.lastCommit = .seconds(1)
            let transport = try bench.transport(times: times)
            _ = try await transport.producer().send(bench.records(0..<40), to: bench.topic)
            let first = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            let done = try await bench.take(40, from: first).prefix(25)
            for delivery in done { await first.finish(delivery.position) }
            try await first.commit()
            let committed = try await transport.committed(group: "g", topic: bench.topic).values.reduce(0, +)
            await first.close()

            bench.cluster.inject(Array(repeating: .coordinatorLoading, count: 100_000), into: .offsetFetch)
            let second = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
            let deadline = ContinuousClock.now + .seconds(40)
            while transport.kafka.statistics.consumers.allSatisfy({ $0.recreations == 0 }) {
                try #require(ContinuousClock.now < deadline)
                #expect(try await second.poll(limit: 1, wait: .milliseconds(100)).isEmpty)
            }
            bench.cluster.clearFaults()
            let rest = try await bench.take(40 - Int(committed), from: second)
            #expect(try await second.poll(limit: 1, wait: .seconds(1)).isEmpty)
            #expect(Set(rest.map(\.position)).count == rest.count)
            await transport.close()
        },
    ]
}
