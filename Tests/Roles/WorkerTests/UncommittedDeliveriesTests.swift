import Broker
import Testing

@testable import Worker

@Suite struct UncommittedDeliveriesTests {
    private func position(_ offset: Int64, partition: Int32 = 0) -> Position {
        Position(partition: TopicPartition(topic: "t", partition: partition), offset: offset)
    }

    @Test("A commit passes the deliveries below its offset, each once")
    func prefix() {
        var deliveries = UncommittedDeliveries()
        for offset in 0..<4 { deliveries.insert(position(Int64(offset)), nil) }
        deliveries.insert(position(9, partition: 1), nil)
        let mine = [position(0).partition: Int64(3), position(0, partition: 1).partition: 9]
        #expect(Set(deliveries.removeCommitted(mine).keys) == [position(0), position(1), position(2)])
        #expect(deliveries.removeCommitted(mine).isEmpty)
        #expect(deliveries.removeCommitted(mine.mapValues { $0 + 1 }).count == 2 && deliveries.isEmpty)
    }

    @Test("A commit passes nothing of a revoked partition: the last commit before may have failed")
    func revoked() {
        var deliveries = UncommittedDeliveries()
        deliveries.insert(position(1), nil)
        deliveries.insert(position(1, partition: 1), nil)
        #expect(
            Set(deliveries.removeCommitted([position(0, partition: 1).partition: 2]).keys) == [
                position(1, partition: 1)
            ])
        // Delivered before the partition was revoked and finished after; then delivered again.
        deliveries.insert(position(2), nil)
        #expect(deliveries.removeCommitted([:]).isEmpty && deliveries.isEmpty)
        deliveries.insert(position(2), nil)
        #expect(Set(deliveries.removeCommitted([position(2).partition: 3]).keys) == [position(2)])
    }
}
