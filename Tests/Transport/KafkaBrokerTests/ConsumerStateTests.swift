import Broker
import Testing

@testable import KafkaBroker

@Suite("A member that compares its place with the group's")
struct ConsumerStateTests {
    private let place = TopicPartition(topic: "t", partition: 3)
    private let now = ContinuousClock.now

    private func delivery(_ offset: Int64) -> Delivery {
        Delivery(
            record: Record(key: [], value: []), position: Position(partition: place, offset: offset),
            timestampMilliseconds: 0)
    }

    @Test("compares where it has nothing in hand, and what is finished is committed")
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

    @Test("begins anew where the group stands before it, and may commit there")
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

    @Test("begins at numbers, where its group committed nothing too: what librdkafka looks up may come late")
    func starts() {
        let fresh = TopicPartition(topic: "t", partition: 4)
        #expect(ConsumerPlan.starts(of: [place, fresh], committed: [place: 7]) == [place: 7, fresh: 0])
    }
}
