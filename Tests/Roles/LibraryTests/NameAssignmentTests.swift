import Digest
import Jobs
import SeededRandom
import Testing

@testable import Library

@Suite("Who gets a name in the photo tree") struct TreeClaimTests {
    func claim(_ number: UInt8, _ names: String...) throws -> TreeClaim {
        TreeClaim(
            id: TreeEntryID(asset: SHA256Value(of: [number]), frame: 0, look: "velvet"),
            names: try names.map { try #require(RelativePath($0)) } + [try #require(RelativePath("own/\(number)"))])
    }

    @Test("everyone gets one name, all are different, whatever the order of the claims", arguments: 1...200)
    func properties(seed: Int) throws {
        var state = UInt64(seed)
        func random(_ below: UInt64) -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (state >> 33) % below
        }
        let claims = try (0..<UInt8(2 + random(8))).map { number in
            try claim(number, "n/\(random(4))", "n/\(random(6))", "n/\(random(6))")
        }
        let given = NameAssignment.assign(claims)
        #expect(given.count == claims.count, "seed \(seed)")
        #expect(Set(given.values).count == claims.count, "seed \(seed)")
        #expect(NameAssignment.assign(claims.reversed()) == given, "seed \(seed)")
        for claim in claims { #expect(claim.names.contains(try #require(given[claim.id])), "seed \(seed)") }
        for name in Set(claims.compactMap(\.names.first)) {
            let ids = claims.filter { $0.names.first == name }.map(\.id)
            #expect(given[try #require(ids.min())] == name, "a first wish comes first, seed \(seed)")
        }
    }

    @Test("a first wish beats a second one")
    func levels() throws {
        let both = [try claim(1, "n/a", "n/b"), try claim(2, "n/a", "n/b"), try claim(3, "n/b")]
        let given = NameAssignment.assign(both)
        #expect(given[both[2].id]?.description == "n/b")
        #expect(Set(given.values.map(\.description)).isSuperset(of: ["n/a", "n/b"]))
    }

    @Test(
        "of two RAWs that stood in one place the later one's photo has the name",
        arguments: 1...20 as ClosedRange<UInt8>)
    func superseded(number: UInt8) throws {
        let file = FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath("a.dng")))
        var (old, new) = (try claim(number, "n/a", "n/b"), try claim(number + 1, "n/a", "n/c"))
        old.raw = FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 5)
        new.raw = FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 6)
        #expect(NameAssignment.assign([old, new])[new.id]?.description == "n/a")
        // Twins are as they were: nothing says which of two files is the newer photo.
        let elsewhere = FileReference(root: file.root, path: try #require(RelativePath("a.nef")))
        new.raw = FileStamp(file: elsewhere, sizeBytes: 1, modifiedNanoseconds: 6)
        #expect(NameAssignment.assign([old, new])[min(old.id, new.id)]?.description == "n/a")
    }
}
