import Broker
import Testing

@testable import KafkaBroker

@Suite("Comparing a member's offsets with the group's")
struct ConsumerStateTests {
    private let place = TopicPartition(topic: "t", partition: 3)
    private let now = ContinuousClock.now

    private func delivery(_ offset: Int64) -> Delivery {
        Delivery(
            record: Record(key: [], value: []), position: Position(partition: place, offset: offset),
            timestampMilliseconds: 0)
    }

    @Test("A member compares only partitions without buffered, unfinished or uncommitted records")
    func settled() throws {
        var state = ConsumerState(window: 10, maxIdle: .seconds(60))
        state.assigned([place], from: [place: 5])
        #expect(state.idleOffsets == [place: 5])
        _ = state.arrived(delivery(5), now: now)
        #expect(state.idleOffsets.isEmpty)
        _ = try state.take(10, now: now)
        #expect(state.idleOffsets.isEmpty)
        _ = state.finish(Position(partition: place, offset: 5), now: now)
        #expect(state.idleOffsets.isEmpty)
        state.committed(state.toCommit())
        #expect(state.idleOffsets == [place: 6])
    }

    @Test("A member above its group's offset begins again there, and may commit there")
    func rewound() throws {
        var state = ConsumerState(window: 10, maxIdle: .seconds(60))
        state.assigned([place], from: [place: 5])
        state.rewound([place: Int64?.none])
        #expect(state.arrived(delivery(0), now: now) == .begins)
        let taken = try state.take(10, now: now)
        #expect(taken.map(\.position.offset) == [0])
        _ = state.finish(taken[0].position, now: now)
        #expect(state.toCommit() == [place: 1])
        #expect(state.takeViolations().isEmpty)
    }

    @Test("Every partition gets a start offset, because a lookup by librdkafka may come late")
    func starts() {
        let fresh = TopicPartition(topic: "t", partition: 4)
        #expect(ConsumerPlan.starts(of: [place, fresh], committed: [place: 7]) == [place: 7, fresh: 0])
    }
}
