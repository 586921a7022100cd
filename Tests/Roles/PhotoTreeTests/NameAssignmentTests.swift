import Digest
import Jobs
import SeededRandom
import Testing

@testable import LibraryTables
@testable import PhotoTree

@Suite("Assigning names in the photo tree") struct NameAssignmentTests {
    func claim(_ number: UInt8, _ names: String...) throws -> TreeClaim {
        TreeClaim(
            id: TreeEntryID(asset: SHA256Value(of: [number]), frame: 0, variant: "velvet"),
            names: try names.map { try #require(RelativePath($0)) } + [try #require(RelativePath("own/\(number)"))])
    }

    @Test(
        "Each claim gets one of its names, all are different, and the order of the claims does not matter",
        arguments: 1...200)
    func properties(seed: Int) throws {
        var numbers = SeededGenerator(seed: UInt64(seed))
        func random(_ limit: UInt64) -> UInt64 { UInt64.random(in: 0..<limit, using: &numbers) }
        let claims = try (0..<UInt8(2 + random(8))).map { number in
            try claim(number, "n/\(random(4))", "n/\(random(6))", "n/\(random(6))")
        }
        let assigned = NameAssignment.assign(claims)
        #expect(assigned.count == claims.count, "seed \(seed)")
        #expect(Set(assigned.values).count == claims.count, "seed \(seed)")
        #expect(NameAssignment.assign(claims.reversed()) == assigned, "seed \(seed)")
        for claim in claims { #expect(claim.names.contains(try #require(assigned[claim.id])), "seed \(seed)") }
        for name in Set(claims.compactMap(\.names.first)) {
            let ids = claims.filter { $0.names.first == name }.map(\.id)
            #expect(assigned[try #require(ids.min())] == name, "a first choice comes first, seed \(seed)")
        }
    }

    @Test("A first choice wins over a second choice")
    func levels() throws {
        let both = [try claim(1, "n/a", "n/b"), try claim(2, "n/a", "n/b"), try claim(3, "n/b")]
        let assigned = NameAssignment.assign(both)
        #expect(assigned[both[2].id]?.description == "n/b")
        #expect(Set(assigned.values.map(\.description)).isSuperset(of: ["n/a", "n/b"]))
    }

    @Test(
        "Of two RAWs with one location, the later one's photo gets the name",
        arguments: 1...20 as ClosedRange<UInt8>)
    func superseded(number: UInt8) throws {
        let file = FileReference(root: try #require(RootName("archive")), path: try #require(RelativePath("a.dng")))
        var (old, new) = (try claim(number, "n/a", "n/b"), try claim(number + 1, "n/a", "n/c"))
        old.raw = FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 5)
        new.raw = FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 6)
        #expect(NameAssignment.assign([old, new])[new.id]?.description == "n/a")
        // RAWs with different locations are not ordered by time, because neither replaced the other.
        let elsewhere = FileReference(root: file.root, path: try #require(RelativePath("a.nef")))
        new.raw = FileStamp(file: elsewhere, sizeBytes: 1, modifiedNanoseconds: 6)
        #expect(NameAssignment.assign([old, new])[min(old.id, new.id)]?.description == "n/a")
    }
}
