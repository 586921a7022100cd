import Broker
import BrokerConformance
import Testing

@Suite("A consumer's ledger")
struct ConsumerLedgerTests {
    private let a0 = TopicPartition(topic: "a", partition: 0)
    private let a1 = TopicPartition(topic: "a", partition: 1)
    private let b0 = TopicPartition(topic: "b", partition: 0)

    private func position(_ partition: TopicPartition, _ offset: Int64) -> Position {
        Position(partition: partition, offset: offset)
    }

    private func rounds(_ ledger: inout ConsumerLedger) -> [TopicPartition] { ledger.nextRound().map(\.partition) }

    @Test("shares its window among its partitions")
    func window() {
        var ledger = ConsumerLedger(window: 3)
        ledger.assign([a0: 0, b0: 7])
        #expect(ledger.room(in: a0) == 3)
        #expect(ledger.deliver(position(a0, 0)) == true)
        #expect(ledger.deliver(position(b0, 7)) == true)
        #expect(ledger.deliver(position(a0, 1)) == true)
        #expect(ledger.room(in: a0) == 0)
        #expect(rounds(&ledger) == [])
        let finished = ledger.finish(position(b0, 7))
        #expect(finished.action == .advances(to: 8))
        #expect(finished.opens)
        #expect(ledger.room(in: a0) == 1)
        #expect(ledger.uncommitted == [b0: 8])
    }

    @Test("begins every round with another partition")
    func fairness() {
        var ledger = ConsumerLedger(window: 9)
        ledger.assign([a0: 0, a1: 0, b0: 0])
        let first = (0..<6).compactMap { _ in rounds(&ledger).first }
        #expect(Set(first) == [a0, a1, b0])
        #expect(Array(first[..<3]) == Array(first[3...]))
    }

    @Test("skips paused topics, in whatever order they are paused and assigned")
    func pauses() {
        var ledger = ConsumerLedger(window: 9)
        ledger.pause("a")
        ledger.assign([a0: 0, b0: 0])
        #expect(rounds(&ledger) == [b0])
        #expect(ledger.revoke([a0, b0]) == [:])
        ledger.assign([a0: 0, a1: 0])
        #expect(rounds(&ledger) == [])
        ledger.resume("a")
        #expect(rounds(&ledger).count == 2)
    }

    @Test("answers what to commit for partitions that are taken away, and forgets what was in flight in them")
    func revocation() {
        var ledger = ConsumerLedger(window: 9)
        ledger.assign([a0: 0, a1: 5])
        for offset in 0..<3 { #expect(ledger.deliver(position(a0, Int64(offset))) == true) }
        _ = ledger.finish(position(a0, 0))
        _ = ledger.finish(position(a0, 2))
        #expect(ledger.revoke([a0, a1]) == [a0: 1])
        #expect(ledger.assignment.isEmpty)
        #expect(ledger.unfinished == 0)
        let late = ledger.finish(position(a0, 1))
        #expect(late.action == .ignored)
        #expect(ledger.deliver(position(a0, 3)) == false)
        #expect(ledger.uncommitted.isEmpty)
    }

    @Test("holds a partition back behind a record that never finishes, and no other one")
    func tail() {
        var ledger = ConsumerLedger(window: 2)
        ledger.assign([a0: 0, b0: 0])
        #expect(ledger.deliver(position(a0, 0)) == true)
        var offset: Int64 = 1
        while ledger.room(in: a0) > 0 {
            #expect(ledger.deliver(position(a0, offset)) == true)
            let finished = ledger.finish(position(a0, offset))
            #expect(finished.action == .waits)
            offset += 1
        }
        #expect(offset == Int64(ledger.longestTail))
        #expect(rounds(&ledger) == [b0])
        let finished = ledger.finish(position(a0, 0))
        #expect(finished.opens)
        #expect(ledger.uncommitted == [a0: offset])
    }
}
