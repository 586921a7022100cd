import Broker
import Testing

@Suite("A backlog")
struct BacklogTests {
    private func position(_ partition: Int32, _ offset: Int64) -> Position {
        Position(partition: TopicPartition(topic: "t", partition: partition), offset: offset)
    }

    @Test("A backlog is read once the last record of every partition is read, and empty partitions do not matter")
    func toTheEnd() {
        var backlog = Backlog([0: 0..<3, 1: 5..<7, 2: 4..<4])
        for each in [position(0, 2), position(1, 5), position(2, 9), position(3, 0)] { backlog.read(each) }
        #expect(!backlog.isRead)
        backlog.read(position(1, 8))
        #expect(backlog.isRead)
    }

    @Test("A backlog does not wait for records before its start")
    func fromAPlace() {
        var backlog = Backlog([0: 0..<3, 1: 0..<3], from: [0: 3, 1: 2])
        #expect(!backlog.isRead)
        backlog.read(position(1, 2))
        #expect(backlog.isRead)
        #expect(Backlog([0: 2..<2]).isRead)
    }
}
