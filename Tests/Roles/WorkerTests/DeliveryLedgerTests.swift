import Broker
import Testing

@testable import Worker

@Suite struct DeliveryLedgerTests {
    private func position(_ offset: Int64, partition: Int32 = 0) -> Position {
        Position(partition: TopicPartition(topic: "t", partition: partition), offset: offset)
    }

    @Test("A commit is past what was finished below its offset, and past nothing twice")
    func prefix() {
        var ledger = DeliveryLedger()
        for offset in 0..<4 { ledger.finished(position(Int64(offset)), nil) }
        ledger.finished(position(9, partition: 1), nil)
        let mine = [position(0).partition: Int64(3), position(0, partition: 1).partition: 9]
        #expect(Set(ledger.committed(mine).keys) == [position(0), position(1), position(2)])
        #expect(ledger.committed(mine).isEmpty)
        #expect(ledger.committed(mine.mapValues { $0 + 1 }).count == 2 && ledger.isEmpty)
    }

    @Test(
        "A commit is past nothing of a partition that went, whenever it was finished: its last commit may have failed")
    func left() {
        var ledger = DeliveryLedger()
        ledger.finished(position(1), nil)
        ledger.finished(position(1, partition: 1), nil)
        #expect(Set(ledger.committed([position(0, partition: 1).partition: 2]).keys) == [position(1, partition: 1)])
        // Delivered before the partition went, finished after; then delivered again.
        ledger.finished(position(2), nil)
        #expect(ledger.committed([:]).isEmpty && ledger.isEmpty)
        ledger.finished(position(2), nil)
        #expect(Set(ledger.committed([position(2).partition: 3]).keys) == [position(2)])
    }
}
