import Broker
import BrokerConformance
import MockKafka
import SeededRandom
import Testing

@testable import KafkaBroker

@Suite("The end of a transport whose cluster is lost")
struct EndTests {
    /// A cluster that goes away while a consumer has ten records that it finishes without committing them.
    private struct LostCluster {
        let bench: FaultBench
        let transport: KafkaTransport
        let producer: any Producer
        let consumer: any GroupConsumer

        init() async throws {
            bench = try FaultBench()
            transport = try KafkaTransport(MockTransport.settings(bench.cluster, [:]))
            producer = try await transport.producer()
            _ = try await producer.send(bench.records(0..<40), to: bench.topic)
            consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 10)
            let found = try await bench.take(10, from: consumer)
            bench.cluster.takeDown()
            for delivery in found { await consumer.finish(delivery.position) }
        }
    }

    /// The result of each call that waits for the cluster.
    private func errors(
        of calls: [@Sendable () async throws -> Void], after event: () async throws -> Void
    ) async throws -> [any Error] {
        let tasks = calls.map { call in Task { try await call() } }
        try await event()
        return try await withDeadline(.seconds(20), "calls to a cluster that is lost") {
            var errors: [any Error] = []
            for task in tasks {
                do {
                    try await task.value
                } catch {
                    errors.append(error)
                }
            }
            return errors
        }
    }

    @Test("At its deadline, all waiting calls end, and later calls are refused")
    func deadline() async throws {
        let lost = try await LostCluster()
        let (transport, producer, consumer) = (lost.transport, lost.producer, lost.consumer)
        let (topic, records) = (lost.bench.topic, lost.bench.records(0..<1))
        let errors = try await errors(of: [
            { _ = try await producer.send(records, to: topic) }, { _ = try await consumer.commit() },
            { while true { _ = try await consumer.poll(limit: 100, wait: .seconds(600)) } },
            { _ = try await transport.watermarks(topic: topic) },
            { _ = try await transport.committed(group: "other", topic: topic) },
        ]) {
            try await Task.sleep(for: .milliseconds(200))
            transport.end(by: .now + .seconds(1))
        }
        // Records that the client already had are reported as not sent.
        #expect(errors.count == 5 && errors.allSatisfy { $0 is BrokerError }, "\(errors)")
        #expect(errors.dropFirst().allSatisfy { ($0 as? BrokerError) == .closed }, "\(errors)")
        await #expect(throws: BrokerError.closed) { _ = try await producer.send(records, to: topic) }
        await #expect(throws: BrokerError.closed) { _ = try await transport.watermarks(topic: topic) }
        let start = ContinuousClock.now
        await consumer.close()
        await transport.close()
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test("A send or a commit whose task is cancelled ends at once, and the next one works when the cluster is back")
    func cancellation() async throws {
        let lost = try await LostCluster()
        let (transport, producer, consumer) = (lost.transport, lost.producer, lost.consumer)
        let (topic, records) = (lost.bench.topic, lost.bench.records(0..<1))
        let start = ContinuousClock.now
        let calls: [Task<Void, any Error>] = [
            Task { _ = try await producer.send(records, to: topic) }, Task { _ = try await consumer.commit() },
        ]
        try await Task.sleep(for: .milliseconds(200))
        for call in calls {
            call.cancel()
            await #expect(throws: CancellationError.self) { try await call.value }
        }
        #expect(ContinuousClock.now - start < .seconds(5))
        lost.bench.cluster.bringUp()
        _ = try await producer.send(records, to: topic)
        #expect(try await consumer.commit().values.reduce(0, +) == 10)
        await transport.close()
    }

    /// Earlier, each of them repeatedly asked a reader, and took all threads from the reader.
    @Test("Cancelled readers of a cluster's identity end soon, in any number")
    func cancelledReaders() async throws {
        let bench = try FaultBench()
        bench.cluster.create(topic: KafkaTransport.incarnationTopic.name, partitions: 1, replicas: 3)
        let transport = try KafkaTransport(MockTransport.settings(bench.cluster, [:]))
        _ = try await transport.claim(for: "library")
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<50 {
            let tasks = (0..<8).map { number in
                Task { _ = number.isMultiple(of: 2) ? try await transport.clusterID() : try await transport.owner() }
            }
            try await Task.sleep(for: .microseconds(Int.random(in: 0...100_000, using: &random)))
            let start = ContinuousClock.now
            for task in tasks { task.cancel() }
            for task in tasks { _ = await task.result }
            let time = ContinuousClock.now - start
            #expect(time < .seconds(10), "round \(round) of seed \(seed)")
        }
        await transport.close()
    }
}
