import ExternalTools
import Database
import Foundation
import Testing

@Suite("edit, undo, redo and revert") struct EditTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.1)
        let ended = try workspace.convert()
        try #require(ended.status == 0, "\(ended.errors)")
    }

    private func run(_ command: String, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run([command] + arguments + ["--library", workspace.library.path])
    }

    private func path(_ name: String) -> String { workspace.photos.appending(path: "raw/\(name)").path }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

    private func expectWhole() throws {
        let verified = try Rawmill.run("library", "verify", "--library", workspace.library.path)
        #expect(verified.status == 0, "\(verified.output)")
        let audited = try Rawmill.run("audit", "--library", workspace.library.path)
        #expect(audited.status == 0, "\(audited.output)")
    }

    @Test(
        "An edit is shown in the photo's place; undo and redo give the same bytes again, and nothing is rendered twice")
    func edited() throws {
        let first = try bytes("sample-0001.neutral.jpg")
        let edited = try run("edit", path("sample-0001.neutral.jpg"), "--look", "mono", "--json")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(try edited.events("photo").first?["revision"] as? Int == 2)
        #expect(
            workspace.shownPhotos == [
                "raw/sample-0001.mono.jpg", "raw/sample-0002.neutral.jpg", "raw/sample-0003.neutral.jpg",
            ])
        let second = try bytes("sample-0001.mono.jpg")
        #expect(try run("undo", path("sample-0001.mono.jpg")).status == 0)
        #expect(try bytes("sample-0001.neutral.jpg") == first)
        #expect(try run("redo", path("sample-0001.neutral.jpg")).status == 0)
        #expect(try bytes("sample-0001.mono.jpg") == second)
        #expect(try run("redo", path("sample-0001.mono.jpg")).status == 3)
        let objects = workspace.library.appending(path: "objects")
        let before = try workspace.fingerprint(of: objects)
        #expect(try run("edit", path("sample-0001.mono.jpg"), "--look", "neutral").status == 0)
        #expect(try bytes("sample-0001.neutral.jpg") == first)
        #expect(try workspace.fingerprint(of: objects) == before, "existing renditions were not rendered again")
        try expectWhole()
    }

    @Test("Only given settings change, and another photo's whole recipe can be applied")
    func options() throws {
        #expect(try run("edit", path("sample-0001.neutral.jpg"), "--exposure", "1", "--quality", "80").status == 0)
        #expect(try run("edit", path("sample-0001.neutral.jpg"), "--look", "mono").status == 0)
        let copied = try run("edit", path("sample-0002.neutral.jpg"), "--from", path("sample-0001.mono.jpg"))
        #expect(copied.status == 0, "\(copied.errors)")
        let shown = try Rawmill.run(
            "library", "show", path("sample-0002.mono.jpg"), "--library", workspace.library.path)
        #expect(shown.output.contains("exposure=1.0") && shown.output.contains("quality=80"), "\(shown.output)")
        #expect(shown.output.contains("revision 2: mono@1"), "\(shown.output)")
        #expect(try run("revert", path("sample-0001.mono.jpg"), "--to", "2").status == 0)
        #expect(workspace.shownPhotos.first == "raw/sample-0001.neutral.jpg")
        let lacking = try run("revert", path("sample-0001.neutral.jpg"), "--to", "9")
        #expect(lacking.status == 3 && lacking.output.contains("it has 1, 2, 3"), "\(lacking.output)")
        try expectWhole()
    }

    @Test(
        "Converting the folder again keeps edits, and ordering an edit's look gives no photo twice")
    func convertedAgain() throws {
        #expect(try run("edit", path("sample-0001.neutral.jpg"), "--look", "mono").status == 0)
        let again = try workspace.convert()
        #expect(again.output.contains("3 unchanged"), "\(again.output)")
        #expect(workspace.shownPhotos.first == "raw/sample-0001.mono.jpg")
        let mono = try workspace.convert("--look", "mono")
        #expect(mono.status == 0, "\(mono.errors)")
        #expect(workspace.shownPhotos.filter { $0.contains("mono") }.count == 3)
        #expect(workspace.shownPhotos.filter { $0.contains("neutral") }.count == 2)
        #expect(try workspace.convert("--look", "mono").output.contains("3 unchanged"))
        try expectWhole()
    }

    @Test("A photo whose RAW is missing or broken stays unchanged, with its reason, and the others are edited")
    func lost() throws {
        let raw = workspace.raw
        try FileManager.default.removeItem(at: raw.appending(path: "sample-0001.dng"))
        try Data([1, 2, 3]).write(to: raw.appending(path: "sample-0002.dng"))
        let names = (1...3).map { path("sample-000\($0).neutral.jpg") }
        let edited = try Rawmill.run(["edit"] + names + ["--look", "mono", "--library", workspace.library.path])
        #expect(edited.status == 3)
        #expect(edited.output.contains("its RAW is missing"), "\(edited.output)")
        #expect(edited.output.contains("it could not be rendered"), "\(edited.output)")
        #expect(edited.errors.contains("sample-0002.dng"), "\(edited.errors)")
        #expect(
            workspace.shownPhotos == [
                "raw/sample-0001.neutral.jpg", "raw/sample-0002.neutral.jpg", "raw/sample-0003.mono.jpg",
            ])
    }

    @Test("An edit of a newer format is final: it is never edited, and the line states the reason")
    func newerFormat() throws {
        let database = try Connection(path: workspace.library.appending(path: "library.sqlite").path)
        try database.run("UPDATE recipes SET format_version = '9.0'")
        let edited = try run("edit", path("sample-0001.neutral.jpg"), "--look", "mono")
        #expect(edited.status == 3)
        #expect(edited.output.contains("org.rawmill.recipe 9.0, which this Rawmill does not know"), "\(edited.output)")
        #expect(workspace.shownPhotos.first == "raw/sample-0001.neutral.jpg")
    }

    @Test("Killed at any time, an edit shows all of its photos or none, and the same command completes it", .night)
    func killed() throws {
        for round in 0..<5 {
            let names = workspace.shownPhotos.map { workspace.photos.appending(path: $0).path }
            let command = ["edit"] + names + ["--exposure", "\(round + 1)", "--library", workspace.library.path]
            let running = try Running(command)
            usleep(UInt32(round) * 60_000)
            running.send(SIGKILL)
            _ = running.wait()
            let listed = try Rawmill.run("library", "list", "--json", "--library", workspace.library.path)
            #expect(listed.output.split(separator: "\n").count == 3)
            let ended = try Rawmill.run(command)
            #expect(ended.status == 0, "\(ended.errors)")
            try expectWhole()
        }
    }

    @Test("Photos can be selected by a condition, for an edit and for undo")
    func selected() throws {
        let edited = try run(
            "edit", "--where", "look = 'neutral' and path like '%0002.dng' or path like '%0003.dng'", "--look", "mono")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(workspace.shownPhotos.filter { $0.contains("mono") }.count == 2)
        #expect(try run("undo", "--where", "look = 'mono'").status == 0)
        #expect(workspace.shownPhotos.filter { $0.contains("neutral") }.count == 3)
        let wrong = try run("undo", "--where", "lok = 'mono'")
        #expect(wrong.status == 64 && wrong.errors.contains("column 1"), "\(wrong.errors)")
        #expect(try run("undo").status == 64)
        try expectWhole()
    }

    @Test(
        "The folder of a missing mount stays empty: only convert creates a library", .night,
        arguments: [
            ["undo", "3fa2"], ["redo", "3fa2"], ["revert", "3fa2"], ["edit", "3fa2", "--look", "mono"],
            ["campaign", "switch", "c"], ["campaign", "rollback", "c"], ["campaign", "gc", "c", "--yes"],
            ["campaign", "plan", "c", "--look", "mono"], ["campaign", "run", "c"], ["campaign", "list"],
            ["album", "create", "a"], ["library", "remove", "3fa2", "--yes"], ["library", "prune", "--yes"],
        ])
    func missingMount(command: [String]) throws {
        let mount = workspace.folder.appending(path: "mount")
        try FileManager.default.createDirectory(at: mount, withIntermediateDirectories: true)
        let ended = try Rawmill.run(command + ["--library", mount.path])
        #expect(ended.status != 0, "\(ended.output)")
        #expect(workspace.files(below: mount).isEmpty, "\(workspace.files(below: mount))")
    }

    @Test("No change, several values, unknown photos: each is reported")
    func wrongUse() throws {
        #expect(try run("edit", path("sample-0001.neutral.jpg")).status == 64)
        #expect(try run("edit", path("sample-0001.neutral.jpg"), "--look", "mono", "--look", "noir").status == 64)
        let unknown = try run("edit", path("nothing.jpg"), "--look", "mono")
        #expect(unknown.status != 0 && unknown.errors.contains("has no asset and no photo"), "\(unknown.errors)")
        #expect(try run("revert", path("sample-0001.neutral.jpg"), "--to", "1", "--original").status == 64)
    }
}
