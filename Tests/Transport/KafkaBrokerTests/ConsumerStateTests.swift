import Broker
import Testing

@testable import KafkaBroker

@Suite("Comparing a member's offsets with the group's")
struct ConsumerStateTests {
    private let partition = TopicPartition(topic: "t", partition: 3)
    private let now = ContinuousClock.now

    private func delivery(_ offset: Int64) -> Delivery {
        Delivery(
            record: Record(key: [], value: []), position: Position(partition: partition, offset: offset),
            timestampMilliseconds: 0)
    }

    @Test("A member compares only partitions without buffered, unfinished or uncommitted records")
    func idleOffsets() throws {
        var state = ConsumerState(window: 10, maxIdle: .seconds(60))
        state.assigned([partition], from: [partition: 5])
        #expect(state.idleOffsets == [partition: 5])
        _ = state.arrived(delivery(5), now: now)
        #expect(state.idleOffsets.isEmpty)
        _ = try state.take(10, now: now)
        #expect(state.idleOffsets.isEmpty)
        _ = state.finish(Position(partition: partition, offset: 5), now: now)
        #expect(state.idleOffsets.isEmpty)
        state.committed(state.toCommit())
        #expect(state.idleOffsets == [partition: 6])
    }

    @Test("A member above its group's offset begins again there, and may commit there")
    func rewound() throws {
        var state = ConsumerState(window: 10, maxIdle: .seconds(60))
        state.assigned([partition], from: [partition: 5])
        state.rewound([partition: Int64?.none])
        #expect(state.arrived(delivery(0), now: now) == .begins)
        let taken = try state.take(10, now: now)
        #expect(taken.map(\.position.offset) == [0])
        _ = state.finish(taken[0].position, now: now)
        #expect(state.toCommit() == [partition: 1])
        #expect(state.takeViolations().isEmpty)
    }

    @Test("Every partition gets a start offset, because a lookup by librdkafka may come late")
    func starts() {
        let fresh = TopicPartition(topic: "t", partition: 4)
        #expect(ConsumerPlan.starts(of: [partition, fresh], committed: [partition: 7]) == [partition: 7, fresh: 0])
    }
}
