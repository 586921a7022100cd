import Digest
import Jobs
import Testing

@testable import Library

@Suite("Names in the photo tree") struct TreeNamesTests {
    func record(
        _ path: String, root: String = "archive", base: String, frame: UInt32 = 0, look: String = "velvet"
    ) throws -> RenditionRecord {
        let digest = SHA256Value(of: Array(path.utf8))
        let file = FileReference(root: try #require(RootName(root)), path: try #require(RelativePath(path)))
        let recipe = RecipeRecord(
            id: digest, look: look, lookVersion: 1,
            adjustment: Adjustment(formatIdentifier: "", formatVersion: "", data: ""))
        return RenditionRecord(
            asset: digest, frame: frame, recipe: recipe, engine: 1,
            photo: FileRecord(digest: digest, sizeBytes: 1, size: nil), preview: nil,
            original: FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 1), make: "", model: "",
            photoBase: Array(base.utf8))
    }

    @Test(
        "a photo stands in its RAW's folder, under its RAW's name",
        arguments: [
            ("archive", "2019/05/IMG_1.CR2", 0, "photos/archive/2019/05/IMG_1.velvet.jpg"),
            ("archive", "IMG_1.CR2", 0, "photos/archive/IMG_1.velvet.jpg"),
            ("archive", "IMG_1.CR2", 1, "photos/archive/IMG_1.2.velvet.jpg"),
            ("archive", "IMG_1.CR2", .max, "photos/archive/IMG_1.4294967296.velvet.jpg"),
            ("library", "photos/archive/2019/IMG_1.CR2", 0, "photos/archive/2019/IMG_1.velvet.jpg"),
            ("library", "objects/ab/IMG_1.CR2", 0, "photos/library/objects/ab/IMG_1.velvet.jpg"),
            ("library", "photos/IMG_1.CR2", 0, "photos/library/photos/IMG_1.velvet.jpg"),
            ("library", "photos/.unnamed/IMG_1.CR2", 0, "photos/library/photos/.unnamed/IMG_1.velvet.jpg"),
        ])
    func wish(root: String, path: String, frame: UInt32, expected: String) throws {
        let claim = TreeNaming.photo(try record(path, root: root, base: "IMG_1", frame: frame))
        #expect(claim.names.first?.description == expected)
    }

    @Test("the second name keeps the RAW's extension, the third has the asset's first digits")
    func alternatives() throws {
        let record = try record("2019/IMG_1.CR2", base: "IMG_1")
        let mark = record.asset.description.prefix(16)
        #expect(
            TreeNaming.photo(record).names.map(\.description) == [
                "photos/archive/2019/IMG_1.velvet.jpg", "photos/archive/2019/IMG_1.CR2.velvet.jpg",
                "photos/archive/2019/IMG_1.\(mark).velvet.jpg", "photos/.unnamed/\(record.asset).velvet.jpg",
            ])
    }

    @Test("a long name is cut at a character so that a file system takes it", arguments: 230...255)
    func long(bytes: Int) throws {
        let base = String(repeating: "é", count: bytes / 2) + (bytes % 2 == 1 ? "x" : "")
        for name in TreeNaming.photo(try record("IMG.CR2", base: base)).names {
            #expect(name.name.count <= 255)
            #expect(String(validating: name.name, as: UTF8.self) != nil)
        }
    }

    @Test("a base that is no file name does not lead out of the folder", arguments: ["../../x", "a/b", "", "\0"])
    func hostile(base: String) throws {
        for name in TreeNaming.photo(try record("2019/IMG.CR2", base: base)).names.dropLast() {
            #expect(name.folder?.description == "photos/archive/2019")
        }
    }

    @Test(
        "a copy whose extension is none, by a damaged database's word, is taken for a .raw",
        arguments: ["", "a/../b", "\0", "long extension of many letters"])
    func damagedExtension(text: String) throws {
        let raw = try record("2019/IMG_1.CR2", base: "IMG_1").original
        let copy = OriginalCopy(asset: SHA256Value(of: [1]), fileExtension: text, sizeBytes: 1)
        let names = TreeNaming.original(copy, as: raw).names
        #expect(names.last?.description == "photos/.unnamed/\(copy.asset).raw")
    }
}

@Suite("Who gets a name in the photo tree") struct TreeClaimTests {
    func claim(_ number: UInt8, _ names: String...) throws -> TreeClaim {
        TreeClaim(
            owner: TreeEntryID(asset: SHA256Value(of: [number]), frame: 0, look: "velvet"),
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
        let given = TreeClaim.settle(claims)
        #expect(given.count == claims.count, "seed \(seed)")
        #expect(Set(given.values).count == claims.count, "seed \(seed)")
        #expect(TreeClaim.settle(claims.reversed()) == given, "seed \(seed)")
        for claim in claims { #expect(claim.names.contains(try #require(given[claim.owner])), "seed \(seed)") }
        for name in Set(claims.compactMap(\.names.first)) {
            let owners = claims.filter { $0.names.first == name }.map(\.owner)
            #expect(given[try #require(owners.min())] == name, "a first wish comes first, seed \(seed)")
        }
    }

    @Test("a first wish beats a second one")
    func levels() throws {
        let both = [try claim(1, "n/a", "n/b"), try claim(2, "n/a", "n/b"), try claim(3, "n/b")]
        let given = TreeClaim.settle(both)
        #expect(given[both[2].owner]?.description == "n/b")
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
        #expect(TreeClaim.settle([old, new])[new.owner]?.description == "n/a")
        // Twins are as they were: nothing says which of two files is the newer photo.
        let elsewhere = FileReference(root: file.root, path: try #require(RelativePath("a.nef")))
        new.raw = FileStamp(file: elsewhere, sizeBytes: 1, modifiedNanoseconds: 6)
        #expect(TreeClaim.settle([old, new])[min(old.owner, new.owner)]?.description == "n/a")
    }
}
