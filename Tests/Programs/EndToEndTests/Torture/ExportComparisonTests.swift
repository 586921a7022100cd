import Digest
import Foundation
import Testing

@testable import rawmill_torture

@Suite("The comparison of an export's folder with an undisturbed one")
struct ExportComparisonTests {
    private let workspace: Workspace
    private var folder: URL { workspace.folder.appending(path: "photos") }
    private let reference: [String: SHA256Value]

    init() throws {
        workspace = try Workspace()
        reference = Dictionary(
            uniqueKeysWithValues: ["a.jpg", "b.jpg"].map { ($0, SHA256Value(of: Array("photo \($0)".utf8))) })
        try put("a.jpg", "photo a.jpg")
        try put("b.jpg", "photo b.jpg")
    }

    private func put(_ name: String, _ text: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func compare(_ editor: PhotoEditor? = nil) throws -> ExportComparison {
        try ExportComparison(
            reference, earlier: [SHA256Value(of: Array("earlier".utf8))], folder: folder.path,
            editor: editor ?? PhotoEditor(folder: folder.path, outside: workspace.folder.path))
    }

    @Test("finds a missing photo, a duplicate, half a file, and a photo of earlier settings")
    func broken() throws {
        #expect(try compare().complaints.isEmpty && compare().present == 2)
        try FileManager.default.removeItem(at: folder.appending(path: "a.jpg"))
        try put("b-2.jpg", "photo b.jpg")
        try put("c.jpg", "earlier")
        try put("d.jpg", "pho")
        #expect(
            try compare().complaints == [
                "a.jpg is missing", #"b.jpg is there 2 times: ["b-2.jpg", "b.jpg"]"#,
                "c.jpg is of an earlier exposure", "d.jpg is no photo of this export",
            ])
    }

    @Test("accepts an edited photo, and users' files")
    func edited() throws {
        var editor = PhotoEditor(folder: folder.path, outside: workspace.folder.path)
        editor.edit("a.jpg", by: .byRenaming)
        editor.putFile(at: "notes.txt", "notes")
        let comparison = try compare(editor)
        #expect(comparison.complaints.isEmpty && comparison.present == 1 && comparison.edited == 1)
    }
}
