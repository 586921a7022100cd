import Foundation
import Glibc
import Testing

@testable import Memory

@Suite("Memory blocks")
struct MemoryTests {
    private static let megabyte = 1 << 20
    private let pool = PagePool()

    private func block(_ byteCount: Int, populatesLater: Bool = false) -> MemoryBlock {
        MemoryBlock(byteCount: byteCount, populatesLater: populatesLater, pool: pool)
    }

    /// Takes a block, writes to it and releases it.
    ///
    /// - Returns: its address.
    private func visit(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        let block = block(byteCount)
        for index in stride(from: 0, to: block.bytes.count, by: 4096) { block.bytes[index] = 7 }
        return block.bytes.baseAddress
    }

    /// Takes two blocks at once and releases both.
    ///
    /// - Returns: their addresses.
    private func visitBoth(_ one: Int, _ other: Int) -> (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) {
        let first = block(one)
        let second = block(other)
        return (first.bytes.baseAddress, second.bytes.baseAddress)
    }

    @Test("A released block is reused, also by a request that is a little smaller or larger")
    func reuse() {
        let first = visit(27 * Self.megabyte)
        #expect(pool.freeBytes == 28 * Self.megabyte)
        #expect(visit(28 * Self.megabyte) == first)
        #expect(visit(22 * Self.megabyte) == first)
        #expect(pool.freeBytes == 28 * Self.megabyte)
    }

    @Test("A free piece that is too small or too large is replaced, and only one of its kind is kept")
    func growth() {
        for megabytes in [20, 28, 40, 24] { _ = visit(megabytes * Self.megabyte) }
        #expect(pool.freeBytes == 24 * Self.megabyte)
    }

    @Test("A block never takes the memory of a much larger one")
    func mixture() {
        let (plane, file) = visitBoth(46 * Self.megabyte, 26 * Self.megabyte)
        for megabytes in [3, 25, 28, 2, 24] { _ = visit(megabytes * Self.megabyte) }
        #expect(visit(46 * Self.megabyte) == plane)
        #expect(visit(27 * Self.megabyte) == file)
    }

    @Test("The smallest sufficient free piece is taken, unless it is far too large")
    func choice() {
        #expect(PagePool.choice([48, 28, 30, 4], requested: 24) == 1)
        #expect(PagePool.choice([48, 4, 10], requested: 20) == 2)
        #expect(PagePool.choice([100, 3], requested: 20) == nil)
        #expect(PagePool.choice([], requested: 20) == nil)
    }

    @Test("Blocks in use do not overlap, and the next job of the same kind takes no more memory")
    func steady() {
        var kept: [Int] = []
        for _ in 0..<3 {
            let first = block(28 * Self.megabyte)
            let second = block(48 * Self.megabyte)
            #expect(first.bytes.baseAddress != second.bytes.baseAddress)
            _ = consume first
            let third = block(24 * Self.megabyte)
            _ = consume second
            _ = consume third
            kept.append(pool.freeBytes)
        }
        #expect(kept == [76, 76, 76].map { $0 * Self.megabyte })
    }

    @Test(
        "A block that spans huge pages begins at the border of one, and is written to its last byte",
        arguments: [(4 << 20) - 4096, 4 << 20, (5 << 20) + 4096, 27 << 20])
    func border(byteCount: Int) {
        let block = block(byteCount)
        let address = Int(bitPattern: block.bytes.baseAddress)
        if byteCount >= 2 * Pages.hugePageBytes { #expect(address % Pages.hugePageBytes == 0) }
        block.bytes[byteCount - 1] = 7
        #expect(block.bytes.count == byteCount && block.bytes[byteCount - 1] == 7)
    }

    @Test("All mapped memory is unmapped")
    func unmapped() throws {
        let before = try mappedBytes()
        for _ in 0..<50 { _ = Pages(byteCount: 27 * Self.megabyte) }
        // Fifty would be 1,350 MB; other tests of the process also map memory.
        #expect(try mappedBytes() - before < 500 * Self.megabyte)
        if Pages(byteCount: .max) != nil { Issue.record("more than any system has was mapped") }
    }

    /// The size of the process's address space, in bytes.
    private func mappedBytes() throws -> Int {
        let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
        return try #require(Int(sizes.prefix { $0 != " " })) * Int(getpagesize())
    }

    @Test("Free pieces can be returned to the system, the largest first")
    func trimming() {
        do {
            let small = block(2 * Self.megabyte)
            let large = block(20 * Self.megabyte)
            #expect(small.bytes.count < large.bytes.count)
        }
        pool.trim(toBytes: 10 * Self.megabyte)
        #expect(pool.freeBytes == 2 * Self.megabyte)
        pool.trim(toBytes: 0)
        #expect(pool.freeBytes == 0)
    }

    /// Pages of the block that the kernel has backed.
    private func populatedPages(_ bytes: UnsafeMutableRawBufferPointer) throws -> Int {
        var pages = [UInt8](repeating: 0, count: (bytes.count + 4095) / 4096)
        try #require(mincore(bytes.baseAddress, bytes.count, &pages) == 0)
        return pages.count { $0 & 1 == 1 }
    }

    private func isPopulated(_ byteCount: Int, later: Bool) -> Bool {
        let block = block(byteCount, populatesLater: later)
        return block.fresh == nil
    }

    @Test("The pages of a fresh block are populated by its owner; a reused block has them")
    func populatedLater() throws {
        let pages = 4096
        do {
            let block = block(pages * 4096 - 100, populatesLater: true)
            let found = block.fresh
            let fresh = try #require(found)
            #expect(try populatedPages(block.bytes) == 0)
            fresh.populate(share: 0, of: 3)
            let third = try populatedPages(block.bytes)
            // A huge page is populated as a whole.
            #expect((pages / 3 - 1...pages / 3 + Pages.hugePageBytes / 4096).contains(third))
            for share in 1..<3 { fresh.populate(share: share, of: 3) }
            fresh.populate(5000..<5001)
            #expect(try populatedPages(block.bytes) == pages)
            #expect(block.bytes.allSatisfy { $0 == 0 })
        }
        #expect(isPopulated(pages * 4096, later: true))
        #expect(isPopulated(100, later: true))
        pool.trim(toBytes: 0)
        #expect(isPopulated(pages * 4096, later: false))
    }

    @Test("Small and empty blocks come from the heap")
    func edges() {
        for count in [0, 1, 4096, MemoryBlock.minPagedBytes - 1] { #expect(block(count).bytes.count == count) }
        #expect(pool.freeBytes == 0)
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
