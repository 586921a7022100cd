import Digest
import Jobs
import Manifests
import PictureFormat
import Testing

@testable import LibraryTables
@testable import PhotoTree

@Suite("Names in the photo tree") struct TreeNamingTests {
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
            original: FileStamp(file: file, sizeBytes: 1, modifiedNanoseconds: 1),
            facts: PhotoFacts(make: "", model: ""), photoBase: Array(base.utf8), format: .jpeg)
    }

    @Test(
        "A photo's first choice is its RAW's folder and base name",
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
    func firstChoice(root: String, path: String, frame: UInt32, expected: String) throws {
        let claim = TreeNaming.photo(try record(path, root: root, base: "IMG_1", frame: frame))
        #expect(claim.names.first?.description == expected)
    }

    @Test("The second choice adds the RAW's extension, the third the asset's first digits")
    func alternatives() throws {
        let record = try record("2019/IMG_1.CR2", base: "IMG_1")
        let mark = record.asset.description.prefix(16)
        #expect(
            TreeNaming.photo(record).names.map(\.description) == [
                "photos/archive/2019/IMG_1.velvet.jpg", "photos/archive/2019/IMG_1.CR2.velvet.jpg",
                "photos/archive/2019/IMG_1.\(mark).velvet.jpg", "photos/.unnamed/\(record.asset).velvet.jpg",
            ])
    }

    @Test("A long name is cut at a character, so that a file system accepts it", arguments: 230...255)
    func long(bytes: Int) throws {
        let base = String(repeating: "é", count: bytes / 2) + (bytes % 2 == 1 ? "x" : "")
        for name in TreeNaming.photo(try record("IMG.CR2", base: base)).names {
            #expect(name.name.count <= 255)
            #expect(String(validating: name.name, as: UTF8.self) != nil)
        }
    }

    @Test("A base that is not a file name does not lead out of the folder", arguments: ["../../x", "a/b", "", "\0"])
    func hostile(base: String) throws {
        for name in TreeNaming.photo(try record("2019/IMG.CR2", base: base)).names.dropLast() {
            #expect(name.folder?.description == "photos/archive/2019")
        }
    }

    @Test(
        "A copy with an invalid extension, from a damaged database, is a .raw",
        arguments: ["", "a/../b", "\0", "long extension of many letters"])
    func damagedExtension(text: String) throws {
        let raw = try record("2019/IMG_1.CR2", base: "IMG_1").original
        let copy = OriginalCopy(asset: SHA256Value(of: [1]), fileExtension: text, sizeBytes: 1)
        let names = TreeNaming.original(copy, as: raw).names
        #expect(names.last?.description == "photos/.unnamed/\(copy.asset).raw")
    }
}
