import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

@Suite("The first contact with a cluster")
struct ContactTests {
    @Test("The first request has its own time limit, and later requests have another")
    func contact() async throws {
        let bench = try FaultBench()
        var times = KafkaSettings.Times()
        (times.firstContact, times.request) = (.seconds(1), .seconds(6))
        let known = try bench.transport(times: times)
        _ = try await known.watermarks(topic: bench.topic)
        times.request = .seconds(300)
        let unknown = try bench.transport(times: times)
        bench.cluster.takeDown()
        let start = ContinuousClock.now
        await #expect(throws: BrokerError.self) { try await known.watermarks(topic: bench.topic) }
        #expect(ContinuousClock.now - start >= .seconds(6))
        _ = try await withDeadline(.seconds(60), "a question to a cluster that never answered") {
            await #expect(throws: BrokerError.self) { try await unknown.watermarks(topic: bench.topic) }
        }
        await known.close()
        await unknown.close()
    }

    @Test("A request that waits for a cluster ends at once when its task is cancelled", arguments: [true, false])
    func cancellation(isKnown: Bool) async throws {
        let bench = try FaultBench()
        let transport = try bench.transport()
        if isKnown { _ = try await transport.watermarks(topic: bench.topic) }
        bench.cluster.takeDown()
        let question = Task { try await transport.watermarks(topic: bench.topic) }
        // By then attempts were made that each had twice the time of the one before.
        try await Task.sleep(for: .seconds(4))
        let start = ContinuousClock.now
        question.cancel()
        await #expect(throws: BrokerError.self) { try await question.value }
        #expect(ContinuousClock.now - start < .seconds(1))
        await transport.close()
    }

    @Test(
        "A cancelled request does not wait for other requests to a lost cluster",
        arguments: [true, false])
    func cancellationOfOne(isKnown: Bool) async throws {
        let bench = try FaultBench()
        let transport = try bench.transport()
        if isKnown { _ = try await transport.watermarks(topic: bench.topic) }
        bench.cluster.takeDown()
        // A role's metrics do the same; they are not cancelled before its work has ended.
        let others = (0..<3).map { _ in Task { try await transport.watermarks(topic: bench.topic) } }
        try await Task.sleep(for: .seconds(1))
        let question = Task { try await transport.watermarks(topic: bench.topic) }
        try await Task.sleep(for: .seconds(3))
        let start = ContinuousClock.now
        question.cancel()
        _ = try await withDeadline(.seconds(20), "a cancelled request") {
            await #expect(throws: BrokerError.self) { try await question.value }
        }
        #expect(ContinuousClock.now - start < .seconds(3))
        for other in others { other.cancel() }
        await transport.close()
    }

    @Test("A waiting request finds the cluster when it is back, despite other requests", .timeLimit(.minutes(2)))
    func turns() async throws {
        let bench = try FaultBench()
        let transport = try bench.transport()
        bench.cluster.takeDown()
        let requests = (0..<8).map { _ in Task { try await transport.watermarks(topic: bench.topic) } }
        // It uses its own client, which the others then share.
        let identity = Task { try? await transport.clusterID() }
        try await Task.sleep(for: .seconds(2))
        bench.cluster.bringUp()
        let answers = try await withDeadline(.seconds(60), "requests to a returned cluster") {
            var answers: [[Int32: Range<Int64>]] = []
            for request in requests { answers.append(try await request.value) }
            return answers
        }
        #expect(Set(answers).count == 1)
        identity.cancel()
        await transport.close()
    }

    @Test("A member counts as connected at once when it gets partitions, and a reader when a broker answers")
    func answered() async throws {
        let bench = try FaultBench()
        let transport = try bench.transport()
        _ = try await transport.producer().send(bench.records(0..<20), to: bench.topic)
        let consumer = try await transport.consumer(group: "g", topics: [bench.topic], inFlight: 100)
        _ = try await bench.take(20, from: consumer)
        #expect(transport.kafka.statistics.consumers.map(\.isConnected) == [true])
        await consumer.close()
        // The statistics come after two seconds. A busy machine sometimes needs as long for an answer, but not always.
        var isEarly = false
        for _ in 0..<10 where !isEarly {
            let start = ContinuousClock.now
            let reader = try await transport.reader(topic: bench.topic, from: [0: 20])
            try await waitUntil("a reader's connection") {
                transport.kafka.statistics.consumers.allSatisfy(\.isConnected)
            }
            isEarly = ContinuousClock.now - start < .seconds(1.5)
            await reader.close()
        }
        #expect(isEarly)
        await transport.close()
    }

    @Test("A limit for all times shortens longer times, and leaves shorter ones unchanged")
    func limited() {
        var times = KafkaSettings.Times()
        times.firstContact = .seconds(2)
        let limited = times.limited(to: .seconds(5))
        #expect([limited.firstContact, limited.request, limited.delivery] == [.seconds(2), .seconds(5), .seconds(5)])
    }
}
