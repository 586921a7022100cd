import Broker
import BrokerConformance
import KafkaBroker
import MockKafka
import Testing

@Suite("The first answer of a cluster")
struct ContactTests {
    @Test("is waited for as long as a user wants to; one that has answered gets its own time to answer again")
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

    @Test("comes within the limit that all waiting is given, and never makes a time longer")
    func limited() {
        var times = KafkaSettings.Times()
        times.firstContact = .seconds(2)
        let limited = times.limited(to: .seconds(5))
        #expect([limited.firstContact, limited.request, limited.delivery] == [.seconds(2), .seconds(5), .seconds(5)])
    }
}
