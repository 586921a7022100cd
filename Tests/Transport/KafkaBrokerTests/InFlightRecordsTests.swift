import Broker
import Testing

@testable import KafkaBroker

@Suite("The check of commits against records in flight")
struct InFlightRecordsTests {
    private let place = TopicPartition(topic: "t", partition: 3)
    private let now = ContinuousClock.now

    private func position(_ offset: Int64) -> Position { Position(partition: place, offset: offset) }

    @Test("A commit beyond an unfinished record is refused")
    func judges() {
        var book = InFlightRecords()
        for offset in Int64(5)..<9 { book.deliver(position(offset), now: now) }
        book.finish(position(6))
        #expect(book.judge([place: 5]).good == [place: 5])
        let refused = book.judge([place: 7])
        #expect(
            refused.good.isEmpty && refused.complaints == ["t/3 was about to be committed to 7, and 5 is not finished"])
        book.finish(position(5))
        #expect(book.judge([place: 7]).good == [place: 7])
    }

    @Test("A commit below the last one is refused, until the partition begins again")
    func keepsOn() {
        var book = InFlightRecords()
        #expect(book.judge([place: 7]).complaints.isEmpty)
        #expect(book.judge([place: 6]).complaints == ["t/3 was about to be committed to 6, and was at 7"])
        book.forget([place])
        #expect(book.judge([place: 6]).good == [place: 6])
    }

    @Test("The delivery time of the oldest record is known")
    func oldest() {
        var book = InFlightRecords()
        #expect(book.oldest == nil)
        book.deliver(position(1), now: now)
        book.deliver(position(2), now: now + .seconds(1))
        book.finish(position(1))
        #expect(book.oldest == now + .seconds(1))
    }
}
