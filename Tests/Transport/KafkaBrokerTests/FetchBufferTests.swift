import Broker
import Testing

@testable import KafkaBroker

@Suite("The buffer of fetched records")
struct FetchBufferTests {
    private let partition = TopicPartition(topic: "t", partition: 3)
    private let start = ContinuousClock.now
    private var late: ContinuousClock.Instant { start + FetchBuffer.grace }

    /// A buffer whose partition is full.
    private func full() -> FetchBuffer {
        var buffer = FetchBuffer()
        buffer.open([partition: 0])
        for offset in 0..<Int64(FetchBuffer.maxRecords) {
            let delivery = Delivery(
                record: Record(key: [], value: []), position: Position(partition: partition, offset: offset),
                timestampMilliseconds: 0)
            _ = buffer.add(delivery, now: start)
        }
        return buffer
    }

    @Test("A partition that stays full is paused, and resumed once it is half empty")
    func pausing() {
        var buffer = full()
        #expect(buffer.flow(now: start) == .waits(until: late))
        #expect(buffer.flow(now: late) == .pauses([partition]))
        buffer.performed(.pauses([partition]))
        #expect(buffer.flow(now: late) == .runs)
        _ = buffer.take(limit: FetchBuffer.maxRecords / 2 - 1)
        #expect(buffer.flow(now: late) == .runs)
        _ = buffer.take(limit: 1)
        #expect(buffer.flow(now: late) == .resumes([partition]))
        buffer.performed(.resumes([partition]))
        #expect(buffer.flow(now: late) == .runs && buffer.paused.isEmpty)
    }

    @Test("A partition that is emptied while it is being paused is resumed")
    func drainedMeanwhile() {
        var buffer = full()
        #expect(buffer.flow(now: late) == .pauses([partition]))
        #expect(buffer.take(limit: .max).count == FetchBuffer.maxRecords)
        buffer.performed(.pauses([partition]))
        #expect(buffer.flow(now: late) == .resumes([partition]))
    }
}
