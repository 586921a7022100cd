import Broker
import Testing

@testable import KafkaBroker

@Suite("The check of commits against records in flight")
struct InFlightRecordsTests {
    private let partition = TopicPartition(topic: "t", partition: 3)
    private let now = ContinuousClock.now

    private func position(_ offset: Int64) -> Position { Position(partition: partition, offset: offset) }

    @Test("A commit beyond an unfinished record is refused")
    func judges() {
        var records = InFlightRecords()
        for offset in Int64(5)..<9 { records.deliver(position(offset), now: now) }
        records.finish(position(6))
        #expect(records.judge([partition: 5]).good == [partition: 5])
        let refused = records.judge([partition: 7])
        #expect(
            refused.good.isEmpty && refused.complaints == ["t/3 was about to be committed to 7, but 5 is not finished"])
        records.finish(position(5))
        #expect(records.judge([partition: 7]).good == [partition: 7])
    }

    @Test("A commit below the last one is refused, until the partition begins again")
    func keepsOn() {
        var records = InFlightRecords()
        #expect(records.judge([partition: 7]).complaints.isEmpty)
        #expect(records.judge([partition: 6]).complaints == ["t/3 was about to be committed to 6, below 7"])
        records.forget([partition])
        #expect(records.judge([partition: 6]).good == [partition: 6])
    }

    @Test("The delivery time of the oldest record is known")
    func oldest() {
        var records = InFlightRecords()
        #expect(records.oldest == nil)
        records.deliver(position(1), now: now)
        records.deliver(position(2), now: now + .seconds(1))
        records.finish(position(1))
        #expect(records.oldest == now + .seconds(1))
    }
}
