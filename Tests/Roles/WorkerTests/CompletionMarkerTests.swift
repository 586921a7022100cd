import Broker
import Testing

@testable import Worker

@Suite("A completion marker")
struct CompletionMarkerTests {
    private let marker = CompletionMarker(
        stem: "ab12.3.", cluster: "cafe",
        position: Position(partition: TopicPartition(topic: "rawmill.jobs.bulk", partition: 7), offset: 1_234_567))

    @Test("is read back from its name")
    func roundTrip() {
        #expect(String(decoding: marker.name, as: UTF8.self) == "ab12.3.0.cafe.rawmill.jobs.bulk.7.1234567")
        #expect(CompletionMarker(name: marker.name) == marker)
    }

    @Test(
        "is not read from other names",
        arguments: ["", "ab12.3.1", "ab12.3.0", "ab12.3.1.cafe.t.7.1", "ab12.3.0.cafe.t.x.1", "....."])
    func others(name: String) {
        #expect(CompletionMarker(name: Array(name.utf8)) == nil)
    }
}
