import Digest
import Foundation
import Jobs
import PictureFormat
import Storage
import Testing

@testable import Serving

@Suite("The records of pending edits") struct EditStoreTests {
    private let workspace: LibraryFolder
    private let root: Root
    private let recipe: Recipe

    init() throws {
        workspace = try LibraryFolder()
        root = try Root(path: workspace.library.path, creating: true)
        let look = try #require(LookReference(name: "mono", version: 1, digest: SHA256Value(of: [1])))
        recipe = Recipe(look: look)
    }

    private func record(_ id: String, _ shown: [UInt8], created: Int64 = 1) throws -> EditRecord {
        let items = try shown.map { number in
            // A name that is not UTF-8.
            let path = try #require(RelativePath(bytes: Array("photos/".utf8) + [0xff, number]))
            return EditRecord.Item(
                shown: SHA256Value(of: [number]), path: path, asset: SHA256Value(of: [number, 1]), frame: 2,
                edited: EditedRecipe(recipe: recipe, hasOwnLook: true), problem: nil)
        }
        return EditRecord(id: id, createdMilliseconds: created, items: items)
    }

    private func names() throws -> [String] {
        try root.entries(of: Array(".rawmill/edits".utf8)).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
    }

    @Test("are read back unchanged by any process, and invalid ones are ignored")
    func read() throws {
        let store = EditStore(in: root)
        #expect(try store.records().isEmpty)
        try store.begin(try record("a", [1, 2]))
        let other = EditStore(in: root)
        let read = try #require(other["a"])
        #expect(read.items.map(\.path) == (try record("a", [1, 2])).items.map(\.path))
        #expect(read.items.allSatisfy { $0.edited == EditedRecipe(recipe: recipe, hasOwnLook: true) && $0.frame == 2 })
        #expect(read.isOpen)
        for text in ["", "{}", "[1]", #"{"edit":"b","photos":[{"recipe":99999999999999999999}]}"#] {
            _ = try root.publish(Array(text.utf8), at: Array(".rawmill/edits/x.json".utf8), existing: .replace)
            #expect(try other.records().filter { !$0.items.isEmpty }.map(\.id) == ["a"])
        }
    }

    @Test("A record whose name differs from its file's, for example to leave its folder, is ignored")
    func strangeName() throws {
        let store = EditStore(in: root)
        for id in ["../../victim", "b", ""] {
            _ = try root.publish(try record(id, [1]).bytes, at: Array(".rawmill/edits/a.json".utf8), existing: .replace)
            #expect(try store.records().allSatisfy { $0.id == "c" })
            try store.begin(try record("c", [1], created: 2))
            #expect(try names() == ["a.json", "c.json"])
        }
    }

    @Test(
        "A later edit of a photo removes it from earlier ones; failed ones stay with their reason, and previews are removed"
    )
    func ended() throws {
        let store = EditStore(in: root)
        let (first, second) = (try record("a", [1, 2]), try record("b", [2, 3], created: 2))
        try store.begin(first)
        try store.keep([0xff, 0xd8], as: try #require(first.items[0].preview))
        try store.begin(second)
        try store.keep([0xff, 0xd8], as: try #require(second.items[1].preview))
        #expect(store["a"]?.items.map(\.shown) == [SHA256Value(of: [1])])
        #expect(store.item(showing: SHA256Value(of: [2]))?.record.id == "b")
        #expect(store.hasPreview(first.items[0]))
        try store.end("a", problems: [:])
        #expect(store["a"] == nil && !store.hasPreview(first.items[0]) && store.hasPreview(second.items[1]))
        try store.end("b", problems: [SHA256Value(of: [3]): "it is broken"])
        #expect(store["b"]?.items.map(\.problem) == ["it is broken"])
        #expect(store["b"]?.isOpen == false)
        #expect(try names() == ["b.json"])
    }

    @Test("The first preview is a JPEG of a display's size; a photo that is no larger has none")
    func display() throws {
        var wanted = recipe
        (wanted.format, wanted.quality) = (.tiff, Recipe.usualQuality)
        let shown = try #require(wanted.display)
        #expect(shown.longEdgePixels == 2048 && shown.format == .jpeg && shown.problem == nil)
        wanted = recipe
        wanted.longEdgePixels = 4000
        #expect(wanted.display?.longEdgePixels == 2048)
        wanted.longEdgePixels = 1200
        #expect(wanted.display == nil)
    }
}
