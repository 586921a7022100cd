import Broker
import BrokerConformance
import Testing

@Suite("The assignment tracker")
struct AssignmentTrackerTests {
    private let a0 = TopicPartition(topic: "a", partition: 0)
    private let a1 = TopicPartition(topic: "a", partition: 1)
    private let b0 = TopicPartition(topic: "b", partition: 0)

    private func position(_ partition: TopicPartition, _ offset: Int64) -> Position {
        Position(partition: partition, offset: offset)
    }

    private func rounds(_ tracker: inout AssignmentTracker) -> [TopicPartition] {
        tracker.nextFetches().map(\.partition)
    }

    @Test("The partitions share the window")
    func window() {
        var tracker = AssignmentTracker(window: 3)
        tracker.assign([a0: 0, b0: 7])
        #expect(tracker.capacity(of: a0) == 3)
        #expect(tracker.deliver(position(a0, 0)) == true)
        #expect(tracker.deliver(position(b0, 7)) == true)
        #expect(tracker.deliver(position(a0, 1)) == true)
        #expect(tracker.capacity(of: a0) == 0)
        #expect(rounds(&tracker) == [])
        let finished = tracker.finish(position(b0, 7))
        #expect(finished.action == .advances(to: 8))
        #expect(finished.frees)
        #expect(tracker.capacity(of: a0) == 1)
        #expect(tracker.uncommitted == [b0: 8])
    }

    @Test("Every round begins with another partition")
    func fairness() {
        var tracker = AssignmentTracker(window: 9)
        tracker.assign([a0: 0, a1: 0, b0: 0])
        let first = (0..<6).compactMap { _ in rounds(&tracker).first }
        #expect(Set(first) == [a0, a1, b0])
        #expect(Array(first[..<3]) == Array(first[3...]))
    }

    @Test("Paused topics are skipped, also if they are assigned after the pause")
    func pauses() {
        var tracker = AssignmentTracker(window: 9)
        tracker.pause("a")
        tracker.assign([a0: 0, b0: 0])
        #expect(rounds(&tracker) == [b0])
        #expect(tracker.revoke([a0, b0]) == [:])
        tracker.assign([a0: 0, a1: 0])
        #expect(rounds(&tracker) == [])
        tracker.resume("a")
        #expect(rounds(&tracker).count == 2)
    }

    @Test("Revoking partitions returns their offsets to commit, and drops their records in flight")
    func revocation() {
        var tracker = AssignmentTracker(window: 9)
        tracker.assign([a0: 0, a1: 5])
        for offset in 0..<3 { #expect(tracker.deliver(position(a0, Int64(offset))) == true) }
        _ = tracker.finish(position(a0, 0))
        _ = tracker.finish(position(a0, 2))
        #expect(tracker.revoke([a0, a1]) == [a0: 1])
        #expect(tracker.assignment.isEmpty)
        #expect(tracker.unfinished == 0)
        let late = tracker.finish(position(a0, 1))
        #expect(late.action == .ignored)
        #expect(tracker.deliver(position(a0, 3)) == false)
        #expect(tracker.uncommitted.isEmpty)
    }

    @Test("A record that never finishes stops its own partition only")
    func tail() {
        var tracker = AssignmentTracker(window: 2)
        tracker.assign([a0: 0, b0: 0])
        #expect(tracker.deliver(position(a0, 0)) == true)
        var offset: Int64 = 1
        while tracker.capacity(of: a0) > 0 {
            #expect(tracker.deliver(position(a0, offset)) == true)
            let finished = tracker.finish(position(a0, offset))
            #expect(finished.action == .waits)
            offset += 1
        }
        #expect(offset == Int64(tracker.maxTail))
        #expect(rounds(&tracker) == [b0])
        let finished = tracker.finish(position(a0, 0))
        #expect(finished.frees)
        #expect(tracker.uncommitted == [a0: offset])
    }
}
