import Digest
import Foundation
import Samples
import Testing

@testable import rawmill_torture

/// The check of I11 must find errors.
@Suite("The inventory of users' files")
struct FileInventoryTests {
    private let workspace: Workspace
    private var folder: URL { workspace.folder.appending(path: "people") }

    init() throws {
        workspace = try Workspace()
        try put("a.jpg", "a")
        try put("sub/b.jpg", "b")
    }

    private func put(_ name: String, _ text: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.appending(path: name))
    }

    private func inventory() throws -> FileInventory {
        var files = FileInventory()
        try files.noteFiles(below: folder.path)
        return files
    }

    @Test("finds a replaced file, a missing one, and one that no user put there")
    func differences() throws {
        let files = try inventory()
        #expect(files.differences().isEmpty)
        try put("a.jpg", "other")
        try remove("sub/b.jpg")
        try put("sub/new.tmp", "new")
        #expect(
            files.differences().map(\.text) == [
                "\(folder.path)/a.jpg was replaced", "\(folder.path)/sub/b.jpg is gone",
            ])
        #expect(try files.unknownFiles(below: folder.path) == ["\(folder.path)/sub/new.tmp"])
        #expect(!files.isUnchanged("\(folder.path)/a.jpg"))
    }

    @Test("finds a link with another target or replaced by a file, and a missing folder")
    func kinds() throws {
        let manager = FileManager.default
        for name in ["link-1", "link-2"] {
            try manager.createSymbolicLink(
                atPath: folder.appending(path: name).path, withDestinationPath: "a.jpg")
        }
        var files = try inventory()
        files.note("\(folder.path)/sub")
        #expect(files.differences().isEmpty)
        try remove("link-1")
        try put("link-1", "a")
        try remove("link-2")
        try manager.createSymbolicLink(
            atPath: folder.appending(path: "link-2").path, withDestinationPath: "sub/b.jpg")
        try remove("sub")
        let names = ["link-1", "link-2", "sub", "sub/b.jpg"].map { "\(folder.path)/\($0)" }
        #expect(files.differences().map(\.path) == names)
    }

    @Test("accepts a file kept under a similar name, and no other")
    func kept() throws {
        let files = try inventory()
        try put("a (kept 2).jpg", "a")
        try put("a.jpg", "another person's")
        #expect(files.differences().isEmpty)
        try put("a (kept 2).jpg", "not a")
        #expect(files.differences().count == 1)
    }

    @Test("follows a user who edits in every way, deletes, renames and adds; a file rewritten by another is found")
    func editor() throws {
        var editor = PhotoEditor(folder: folder.path, outside: workspace.folder.appending(path: "outside").path)
        for program in SavingProgram.allCases { editor.edit("a.jpg", by: program) }
        #expect(try String(contentsOf: folder.appending(path: "a.jpg"), encoding: .utf8).count > 20)
        #expect(editor.editedPhotos == ["a.jpg"] && editor.count == 3)
        var random = SplitMix64(seed: 1)
        for number in 0..<60 { editor.act(at: "photo-\(number % 7).jpg", &random) }
        #expect(editor.files.differences().isEmpty)
        #expect(editor.count > 20 && editor.names.count > 5)
        try put("a.jpg", "rendered anew")
        #expect(editor.files.differences().map(\.text) == ["\(folder.path)/a.jpg was replaced"])
        // Its change must not be hidden by another edit.
        editor.edit("a.jpg", by: .inPlace)
        #expect(editor.files.differences().count == 1)
    }
}
