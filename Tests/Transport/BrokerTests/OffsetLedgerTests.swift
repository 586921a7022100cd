import Broker
import BrokerConformance
import SeededRandom
import Testing

@Suite("A partition's offsets")
struct OffsetLedgerTests {
    @Test("The offset advances when the lowest unfinished record finishes")
    func script() {
        var ledger = OffsetLedger(startingAt: 10)
        #expect(ledger.uncommitted == nil)
        for offset in 10...14 { #expect(ledger.deliver(Int64(offset)) == true) }
        #expect(ledger.position == 15)
        #expect(ledger.unfinished == 5)
        #expect(ledger.finish(12) == .waits)
        #expect(ledger.finish(11) == .waits)
        #expect(ledger.uncommitted == nil)
        #expect(ledger.finish(10) == .advances(to: 13))
        #expect(ledger.uncommitted == 13)
        #expect(ledger.tail == 2)
        ledger.commit(13)
        #expect(ledger.uncommitted == nil)
        #expect(ledger.finish(14) == .waits)
        #expect(ledger.finish(13) == .advances(to: 15))
        #expect(ledger.tail == 0)
        #expect(ledger.uncommitted == 15)
    }

    @Test("Offsets may have gaps: when all records have finished, the offset after the last one is committed")
    func gaps() {
        var ledger = OffsetLedger(startingAt: 0)
        for offset in [3, 7, 100] { #expect(ledger.deliver(Int64(offset)) == true) }
        #expect(ledger.nextToCommit == 3)
        #expect(ledger.finish(3) == .advances(to: 7))
        #expect(ledger.finish(50) == .ignored)
        #expect(ledger.finish(100) == .waits)
        #expect(ledger.finish(7) == .advances(to: 101))
    }

    @Test("Records that were finished, never delivered, or delivered before change nothing")
    func ignored() {
        var ledger = OffsetLedger(startingAt: 5)
        #expect(ledger.finish(5) == .ignored)
        #expect(ledger.deliver(5) == true)
        #expect(ledger.deliver(5) == false)
        #expect(ledger.deliver(4) == false)
        #expect(ledger.finish(5) == .advances(to: 6))
        #expect(ledger.finish(5) == .ignored)
        #expect(ledger.finish(.min) == .ignored)
        #expect(ledger.finish(.max) == .ignored)
        ledger.commit(6)
        ledger.commit(5)
        #expect(ledger.committed == 6)
    }

    @Test("The committed offset never exceeds the lowest unfinished one, and never decreases")
    func invariant() {
        var random = SeededGenerator()
        for _ in 0..<300 {
            let start = Int64.random(in: 0...100, using: &random)
            var ledger = OffsetLedger(startingAt: start)
            var unfinished: Set<Int64> = []
            for _ in 0..<200 {
                let before = (committed: ledger.committed, next: ledger.nextToCommit)
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let offset = ledger.position + Int64.random(in: -2...3, using: &random)
                    if ledger.deliver(offset) { unfinished.insert(offset) }
                case 1, 2:
                    guard let offset = unfinished.randomElement(using: &random) else { continue }
                    unfinished.remove(offset)
                    #expect(ledger.finish(offset) != .ignored, "seed \(random.seed)")
                default: if let offset = ledger.uncommitted { ledger.commit(offset) }
                }
                #expect(ledger.unfinished == unfinished.count, "seed \(random.seed)")
                #expect(ledger.nextToCommit == unfinished.min() ?? ledger.position, "seed \(random.seed)")
                #expect(ledger.committed <= unfinished.min() ?? ledger.position, "seed \(random.seed)")
                #expect(ledger.committed >= before.committed, "seed \(random.seed)")
                #expect(ledger.nextToCommit >= before.next, "seed \(random.seed)")
            }
        }
    }
}
