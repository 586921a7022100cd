import Broker
import Testing

@testable import Worker

@Suite("The note of an end")
struct EndNoteTests {
    private let note = EndNote(
        stem: "ab12.3.", cluster: "cafe",
        position: Position(partition: TopicPartition(topic: "rawmill.jobs.bulk", partition: 7), offset: 1_234_567))

    @Test("is read from the name it has")
    func roundTrip() {
        #expect(String(decoding: note.name, as: UTF8.self) == "ab12.3.0.cafe.rawmill.jobs.bulk.7.1234567")
        #expect(EndNote(name: note.name) == note)
    }

    @Test(
        "is no other name",
        arguments: ["", "ab12.3.1", "ab12.3.0", "ab12.3.1.cafe.t.7.1", "ab12.3.0.cafe.t.x.1", "....."])
    func others(name: String) {
        #expect(EndNote(name: Array(name.utf8)) == nil)
    }
}
