import Foundation
import Testing

@testable import Memory

/// They share the process's store: one after another.
@Suite(.serialized) struct MemoryTests {
    private static let megabyte = 1 << 20

    /// Takes a block, fills it, lets it go; where it was.
    private func visit(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let block = MemoryBlock(byteCount: byteCount)
        for index in stride(from: 0, to: block.bytes.count, by: 4096) { block.bytes[index] = 7 }
        return block.bytes.baseAddress
    }

    @Test("A block that is let go is found again, also by a request that is a little smaller or larger")
    func reuse() {
        MemoryPool.trim(toBytes: 0)
        let first = visit(27 * Self.megabyte)
        #expect(MemoryPool.freeBytes == 28 * Self.megabyte)
        #expect(visit(28 * Self.megabyte) == first)
        #expect(visit(22 * Self.megabyte) == first)
        #expect(MemoryPool.freeBytes == 28 * Self.megabyte)
    }

    @Test("A block that is too short, or too long, is replaced, and no second one of its kind left beside it")
    func growth() {
        MemoryPool.trim(toBytes: 0)
        for megabytes in [20, 28, 40, 24] { _ = visit(megabytes * Self.megabyte) }
        #expect(MemoryPool.freeBytes == 24 * Self.megabyte)
    }

    @Test("A block of one size never takes the memory of one that is much larger")
    func mixture() {
        MemoryPool.trim(toBytes: 0)
        let plane = visit(46 * Self.megabyte)
        let file = visit(26 * Self.megabyte)
        for megabytes in [3, 25, 28, 2, 24] { _ = visit(megabytes * Self.megabyte) }
        #expect(visit(46 * Self.megabyte) == plane)
        #expect(visit(27 * Self.megabyte) == file)
    }

    @Test("Of several the smallest is taken that is large enough but not far too large")
    func choice() {
        #expect(PagePool.choice([48, 28, 30, 4], requested: 24) == 1)
        #expect(PagePool.choice([48, 4, 10], requested: 20) == 2)
        #expect(PagePool.choice([100, 3], requested: 20) == nil)
        #expect(PagePool.choice([], requested: 20) == nil)
    }

    @Test("Blocks of one job stay apart, and the next job of its kind takes no more memory")
    func steady() {
        MemoryPool.trim(toBytes: 0)
        var kept: [Int] = []
        for _ in 0..<3 {
            let first = MemoryBlock(byteCount: 28 * Self.megabyte)
            let second = MemoryBlock(byteCount: 48 * Self.megabyte)
            #expect(first.bytes.baseAddress != second.bytes.baseAddress)
            _ = consume first
            let third = MemoryBlock(byteCount: 24 * Self.megabyte)
            _ = consume second
            _ = consume third
            kept.append(MemoryPool.freeBytes)
        }
        #expect(kept == [76, 76, 76].map { $0 * Self.megabyte })
    }

    @Test("What is kept can be given back, the largest first")
    func trimming() {
        MemoryPool.trim(toBytes: 0)
        do {
            let small = MemoryBlock(byteCount: 2 * Self.megabyte)
            let large = MemoryBlock(byteCount: 20 * Self.megabyte)
            #expect(small.bytes.count < large.bytes.count)
        }
        MemoryPool.trim(toBytes: 10 * Self.megabyte)
        #expect(MemoryPool.freeBytes == 2 * Self.megabyte)
        MemoryPool.trim(toBytes: 0)
        #expect(MemoryPool.freeBytes == 0)
    }

    /// Pages that the process has in memory.
    private func residentPages() throws -> Int {
        let text = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
    }

    private func isPaged(_ byteCount: Int, later: Bool) -> Bool {
        let block = MemoryBlock(byteCount: byteCount, populatesLater: later)
        return block.fresh == nil
    }

    @Test("The pages of a fresh block are made where its holder asks for them; one that is kept has them")
    func pagedLater() throws {
        MemoryPool.trim(toBytes: 0)
        let pages = 4096
        do {
            let block = MemoryBlock(byteCount: pages * 4096 - 100, populatesLater: true)
            let found = block.fresh
            let fresh = try #require(found)
            let before = try residentPages()
            fresh.populate(share: 0, of: 3)
            let third = try residentPages()
            #expect(abs(third - before - pages / 3) < 100)
            for share in 1..<3 { fresh.populate(share: share, of: 3) }
            fresh.populate(5000..<5001)
            #expect(abs(try residentPages() - before - pages) < 100)
            #expect(block.bytes.allSatisfy { $0 == 0 })
        }
        #expect(isPaged(pages * 4096, later: true))
        #expect(isPaged(100, later: true))
        MemoryPool.trim(toBytes: 0)
        #expect(isPaged(pages * 4096, later: false))
    }

    @Test("Small blocks and empty ones come from the heap")
    func edges() {
        MemoryPool.trim(toBytes: 0)
        for count in [0, 1, 4096, MemoryBlock.minPagedBytes - 1] {
            #expect(MemoryBlock(byteCount: count).bytes.count == count)
        }
        #expect(MemoryPool.freeBytes == 0)
    }

    @Test(
        "Sizes are rounded up by at most a quarter, to whole pages", arguments: [1 << 20, 3 << 20, 48_000_000, 1 << 33])
    func rounding(_ count: Int) {
        for size in [count - 1, count, count + 1] {
            let rounded = PagePool.rounded(size)
            #expect(rounded >= size && rounded % 4096 == 0 && rounded - size <= size / 4 + 4096)
        }
        #expect(PagePool.rounded(.max) == .max)
    }
}
