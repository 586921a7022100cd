import Glibc
import Testing

@testable import Coordinator

@Suite("A folder's listing")
struct ListingTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// Names of few letters, so that many share their beginnings, with bytes that are no UTF-8.
    private func names(_ count: Int, seed: UInt64) -> Set<[UInt8]> {
        var numbers = Numbers(state: seed)
        let ends = ["", ".cr2", ".CR2", ".jpg", ".xmp", ".cr2.xmp", ".txt"].map { Array($0.utf8) }
        return Set(
            (0..<count).map { _ in
                (0..<Int.random(in: 1...9, using: &numbers)).map { _ in
                    [0x20, 0x2D, 0x2E, 0x61, 0x62, 0xFF].randomElement(using: &numbers) ?? 0x61
                }
                    + (ends.randomElement(using: &numbers) ?? [])
            })
    }

    @Test(
        "is the same, in order and complete, whether it fits in memory, spills, or spills many times", arguments: 1...6)
    func spills(seed: Int) throws {
        // Some file systems count characters: their names have more than 255 bytes.
        let long = (0..<40).map { Array((String(repeating: "я", count: 100 + 9 * $0) + ".cr2").utf8) }
        let names = names(4000, seed: UInt64(seed)).union(long)
        let expected = names.sorted { a, b in
            let (x, y) = (a.prefix(FamilyName.length(of: a)), b.prefix(FamilyName.length(of: b)))
            return x == y ? a.lexicographicallyPrecedes(b) : x.lexicographicallyPrecedes(y)
        }
        for limit in [64 << 20, 0] {
            let listing = Listing(budget: ListingBudget(limitBytes: limit))
            for name in names { try name.withUnsafeBufferPointer { try listing.append($0, type: 8) } }
            try listing.finish()
            #expect(listing.isSpilled == (limit < 64 << 20))
            var found: [[UInt8]] = []
            while let family = try listing.nextFamily() {
                if Set(family.map(\.family)).count != 1 { Issue.record("two families in one") }
                found += family.map(\.name)
            }
            #expect(found == expected)
        }
    }

    @Test("merges its runs when they become many")
    func manyRuns() throws {
        let listing = Listing(budget: ListingBudget(limitBytes: 0))
        let count = 70_000
        for number in 0..<count {
            let name = Array("A longer name, for more runs: IMG_\(number &* 7919 % count).CR2".utf8)
            try name.withUnsafeBufferPointer { try listing.append($0, type: 8) }
        }
        try listing.finish()
        var found = 0
        var last: FolderEntry?
        while let entry = listing.first {
            if let last, !ListingOrder.precedes(last, entry) { Issue.record("\(entry) comes too late") }
            last = entry
            found += 1
            try listing.removeFirst()
        }
        #expect(found == count)
    }

    @Test("gives its memory back")
    func budget() throws {
        let budget = ListingBudget(limitBytes: ListingBudget.step)
        for _ in 0..<3 {
            let listing = Listing(budget: budget)
            let name = Array("a".utf8)
            try name.withUnsafeBufferPointer { try listing.append($0, type: 8) }
            try listing.finish()
        }
        #expect(budget.take(ListingBudget.step, holding: 1))
    }

    @Test("says where there is no room to sort")
    func noRoom() throws {
        #expect(throws: WalkError.scratch(folder: "/proc/none", cause: "No such file or directory")) {
            _ = try ScratchFile(folder: "/proc/none")
        }
    }
}
