import ExternalTools
import Glibc
import Storage
import SeededRandom
import Testing

@testable import Coordinator

@Suite("A folder's sorted listing")
struct ListingDatabaseTests {
    /// Names of few letters, so that many have a common beginning, with bytes that are not UTF-8.
    private func names(_ count: Int, seed: UInt64) -> Set<[UInt8]> {
        var generator = SeededGenerator(seed: seed)
        let suffixes = ["", ".cr2", ".CR2", ".jpg", ".xmp", ".cr2.xmp", ".txt"].map { Array($0.utf8) }
        return Set(
            (0..<count).map { _ in
                (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                    [0x20, 0x2D, 0x2E, 0x61, 0x62, 0xFF].randomElement(using: &generator) ?? 0x61
                }
                    + (suffixes.randomElement(using: &generator) ?? [])
            })
    }

    private func sort(_ names: some Sequence<[UInt8]>, in database: ListingDatabase) throws -> FolderListing {
        var iterator = names.makeIterator()
        return try database.sort { iterator.next().map { FolderEntry(name: $0, kind: .file) } }.listing
    }

    private func family(_ name: [UInt8]) -> ArraySlice<UInt8> { name.prefix(FamilyName.length(of: name)) }

    @Test("is complete and in order, whether it fits into the cache or not", .night, arguments: 1...6)
    func order(seed: Int) throws {
        // Some file systems count characters instead of bytes: their names have more than 255 bytes.
        let long = (0..<40).map { Array((String(repeating: "я", count: 100 + 9 * $0) + ".cr2").utf8) }
        let names = names(4000, seed: UInt64(seed)).union(long)
        let expected = names.sorted { a, b in
            family(a) == family(b) ? a.lexicographicallyPrecedes(b) : family(a).lexicographicallyPrecedes(family(b))
        }
        for cacheBytes in [64 << 20, 1] {
            let listing = try sort(names, in: ListingDatabase(cacheBytes: cacheBytes))
            var found: [[UInt8]] = []
            while let entries = try listing.nextFamily() {
                if Set(entries.map { family($0.name) }).count != 1 { Issue.record("two families in one") }
                found += entries.map(\.name)
            }
            #expect(found == expected)
        }
    }

    @Test("of many names is read page by page, in order")
    func pages() throws {
        let count = 20_000
        let names = (0..<count).lazy.map { Array("IMG_\(100_000 + $0 &* 7919 % count).CR2".utf8) }
        let listing = try sort(names, in: ListingDatabase(cacheBytes: 64 << 10))
        var found = 0
        while let entries = try listing.nextFamily() {
            if entries.map(\.name) != [Array("IMG_\(100_000 + found).CR2".utf8)] { Issue.record("wrong at \(found)") }
            found += 1
        }
        #expect(found == count)
    }

    @Test("keeps several folders apart, and forgets those that were read")
    func nested() throws {
        let database = try ListingDatabase()
        let outer = try sort(["b.CR2", "a.CR2"].map { Array($0.utf8) }, in: database)
        #expect(try outer.nextFamily()?.map(\.name) == [Array("a.CR2".utf8)])
        do {
            let inner = try sort(["c.CR2"].map { Array($0.utf8) }, in: database)
            #expect(try inner.nextFamily()?.map(\.name) == [Array("c.CR2".utf8)])
            #expect(try inner.nextFamily() == nil)
        }
        #expect(try outer.nextFamily()?.map(\.name) == [Array("b.CR2".utf8)])
        #expect(try outer.nextFamily() == nil)
    }

    @Test("of a folder that fails half-way has the entries read until then")
    func failure() throws {
        var names = ["b.CR2", "a.CR2"].map { Array($0.utf8) }
        let (listing, failure) = try ListingDatabase().sort { () throws(StorageError) in
            guard let name = names.popLast() else { throw StorageError(.unavailable, "list", []) }
            return FolderEntry(name: name, kind: .unknown)
        }
        #expect(failure?.kind == .unavailable)
        #expect(try listing.nextFamily()?.map(\.kind) == [.unknown])
        #expect(try listing.nextFamily()?.map(\.name) == [Array("b.CR2".utf8)])
        #expect(try listing.nextFamily() == nil)
    }

    @Test("names the folder that has no space left for sorting")
    func diskFull() throws {
        let names = (0..<4000).map { Array("IMG_\($0).CR2".utf8) }
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
        let error = #expect(throws: WalkError.self) { _ = try sort(names, in: ListingDatabase(maxPages: 8)) }
        #expect(error == .scratch(folder: folder, cause: "database or disk is full"))
    }
}
