import ExternalTools
import Foundation
import Testing

struct LibraryCommandTests {
    private func library(_ workspace: Workspace, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library"] + arguments + ["--library", workspace.library.path])
    }

    @Test("List shows the current photos in order, and filters them")
    func list() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        #expect(try workspace.convert().status == 0)
        #expect(try workspace.convert("--look", "mono").status == 0)
        let all = try library(workspace, "list", "--json").events
        #expect(all.compactMap { $0["photo"] as? String } == workspace.shownPhotos.map { "photos/\($0)" })
        #expect(try library(workspace, "list", "--look", "mono").lines.count == 3)
        #expect(try library(workspace, "list", "--folder", "raw").lines.count == 6)
        #expect(try library(workspace, "list", "--folder", "raw/none").lines.isEmpty)
        #expect(try library(workspace, "list", "--date", "2024-05").lines.count == 6)
        #expect(try library(workspace, "list", "--date", "2023").lines.isEmpty)
        #expect(try library(workspace, "list", "--date", "May").status == 64)
        #expect(try library(workspace, "list", "--where", "look = 'mono' and width > 1").lines.count == 3)
        #expect(try library(workspace, "list", "--where", "taken < 2024 or look = 'x'").lines.isEmpty)
        #expect(try library(workspace, "list", "--where", "engine > 0", "--count").output == "6\n")
        let wrong = try library(workspace, "list", "--where", "look = 'mono' und width > 1")
        #expect(wrong.status == 64 && wrong.errors.contains("column 15: expected and"))
        let page = try library(workspace, "list", "--limit", "4", "--json").events.compactMap { $0["photo"] as? String }
        let last = try #require(page.last)
        let rest = try library(workspace, "list", "--limit", "4", "--after", last, "--json").events
        #expect(page + rest.compactMap { $0["photo"] as? String } == workspace.shownPhotos.map { "photos/\($0)" })
    }

    @Test("A list without entries says so on standard error, to people only")
    func emptyLists() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.1)
        #expect(try workspace.convert().status == 0)
        func check(_ words: [String], _ sentence: String, options: [String] = ["--json"]) throws {
            let text = try Rawmill.run(words + ["--library", workspace.library.path])
            #expect(text.output.isEmpty && text.errors == sentence + "\n", "\(words): \(text.errors)")
            for option in options {
                let other = try Rawmill.run(words + [option, "--library", workspace.library.path])
                #expect(other.errors.isEmpty, "\(words) \(option): \(other.errors)")
            }
        }
        try check(
            ["library", "list", "--where", "look = 'x'"], "No photos match.", options: ["--json", "--csv", "--count"])
        try check(["album", "list"], "The library has no albums.")
        try check(["campaign", "list"], "The library has no campaigns.")
        try check(["drops", "list"], "The library has no drops.")
        #expect(try Rawmill.run("album", "create", "best", "--library", workspace.library.path).status == 0)
        try check(["album", "show", "best"], "The album is empty.")
        try check(["album", "show", "best", "--where", "look = 'x'"], "No photos of the album match.")
        let name = "library/photos/raw/sample-0001.neutral.jpg"
        #expect(
            try library(workspace, "show", name).status == 0, "a photo is found under the name that reports give it")
    }

    @Test("The catalogue is a table that other programs read", .needs(.program("python3")))
    func table() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2, megapixels: 0.1)
        let odd = "=HYPERLINK(\"x\"),\n'1'.dng"
        try FileManager.default.moveItem(
            at: workspace.raw.appending(path: "sample-0002.dng"), to: workspace.raw.appending(path: odd))
        #expect(try workspace.convert().status == 0)
        let table = workspace.folder.appending(path: "photos.csv")
        try library(workspace, "list", "--csv").output.write(to: table, atomically: true, encoding: .utf8)
        let script = "import csv, json, sys; print(json.dumps(list(csv.DictReader(open(sys.argv[1], newline='')))))"
        let read = try ExternalTool.run("python3", ["-X", "utf8", "-c", script, table.path])
        let rows = try #require(try JSONSerialization.jsonObject(with: Data(read.utf8)) as? [[String: String]])
        let listed = try library(workspace, "list", "--json").events
        #expect(rows.count == 2 && rows.map { $0["photo"] } == listed.map { $0["photo"] as? String })
        #expect(rows.map { $0["asset"] } == listed.map { $0["asset"] as? String })
        #expect(rows.contains { $0["path"]?.hasSuffix(odd) == true && $0["make"] == "Rawmill" }, "\(rows)")
        #expect(rows.allSatisfy { $0["taken"]?.hasPrefix("2024-05-01 ") == true && $0["degraded"]?.isEmpty == true })
        #expect(try library(workspace, "list", "--csv", "--json").status == 64)
    }

    @Test("Albums are filled, ordered, shown, used in selections and removed")
    func albums() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        #expect(try workspace.convert().status == 0)
        func album(_ arguments: String...) throws -> Rawmill.Ended {
            try Rawmill.run(["album"] + arguments + ["--library", workspace.library.path])
        }
        func shown() throws -> [String] {
            try album("show", "best", "--json").events.compactMap { $0["photo"] as? String }.map {
                String($0.dropFirst("photos/raw/sample-000".count).prefix(1))
            }
        }
        #expect(try album("create", "best").status == 0)
        #expect(try album("create", "best").errors.contains("there is an album \"best\" already"))
        #expect(try album("add", "best", "--where", "engine > 0").output == "added 3 photographs\n")
        #expect(
            try album("add", "best", workspace.photos.appending(path: "raw/sample-0001.neutral.jpg").path).output
                == "added 0 photographs; 1 is already in it\n")
        #expect(try album("move", "best", "photos/raw/sample-0003.neutral.jpg", "--to", "1").status == 0)
        #expect(try shown() == ["3", "1", "2"])
        #expect(try album("move", "best", "photos/raw/sample-0003.neutral.jpg").status == 64)
        #expect(try album("remove", "best", "--where", "path like '%0001%'").output == "removed 1 photograph\n")
        #expect(try library(workspace, "list", "--where", "album = 'best'", "--count").output == "2\n")
        #expect(try album("add", "bset", "--where", "engine > 0").errors.contains("did you mean \"best\"?"))
        #expect(try album("add", "best").status == 64)
        #expect(try album("rename", "best", "good").status == 0)
        #expect(try album("list").output == "good  2 photographs\n")
        #expect(try album("delete", "good").output.contains("would remove"))
        #expect(try album("delete", "good", "--yes").status == 0)
        #expect(try album("list").output.isEmpty)
    }

    @Test("Show prints an asset's resources, recipe and adjustment data, by id and by path")
    func show() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert("--exposure", "0.5").status == 0)
        let listed = try #require(try library(workspace, "list", "--json").events.first)
        let asset = try #require(listed["asset"] as? String)
        let path = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg").path
        for name in [asset, String(asset.prefix(8)), "photos/raw/sample-0001.neutral.jpg", path] {
            let shown = try #require(try library(workspace, "show", name, "--json").events.first)
            #expect(shown["asset"] as? String == asset)
            let revision = try #require((shown["revisions"] as? [[String: Any]])?.first)
            let adjustment = try #require(revision["adjustment"] as? [String: String])
            #expect(adjustment["formatIdentifier"] == "org.rawmill.recipe" && adjustment["formatVersion"] == "1.0")
            #expect(adjustment["data"]?.contains("exposure=0.5") == true)
            let kinds = (shown["resources"] as? [[String: Any]] ?? []).compactMap { $0["kind"] as? String }
            #expect(Set(kinds) == ["photo", "preview", "alternatePhoto"])
        }
        #expect(try library(workspace, "show", "ffffffff").errors.contains("there is no asset"))
        #expect(try library(workspace, "show", "ffffffff").status == 64)
    }

    @Test("Verify finds changed, missing and unknown photos, and repairs a missing name")
    func verify() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        #expect(try workspace.convert().status == 0)
        #expect(try library(workspace, "verify").status == 0)
        try FileManager.default.removeItem(at: workspace.photos.appending(path: "raw/sample-0001.neutral.jpg"))
        let lost = try library(workspace, "verify", "--json")
        #expect(lost.status == 3)
        #expect(try lost.events("finding").map { $0["kind"] as? String } == ["link-missing"])
        #expect(try library(workspace, "verify", "--repair").output.contains("Repaired."))
        #expect(try library(workspace, "verify").status == 0)
        #expect(workspace.shownPhotos.count == 3)
        let object = try #require(workspace.files(below: workspace.library.appending(path: "objects")).first)
        let file = workspace.library.appending(path: "objects/\(object)")
        var bytes = try Data(contentsOf: file)
        bytes[bytes.count / 2] ^= 1
        let handle = try FileHandle(forWritingTo: file)
        try handle.write(contentsOf: bytes)
        try handle.close()
        try Data("x".utf8).write(to: workspace.library.appending(path: "photos/raw/stranger.jpg"))
        let kinds = Set(
            try library(workspace, "verify", "--json").events("finding").compactMap { $0["kind"] as? String })
        #expect(kinds.isSuperset(of: ["photo-changed", "unknown-photo"]), "\(kinds)")
    }

    @Test("A rebuilt library equals the one it replaces, and conversions continue with it", arguments: [true, false])
    func rebuild(isLost: Bool) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        #expect(try workspace.convert("--originals", "copy").status == 0)
        #expect(try workspace.convert("--look", "sepia", "--strength", "0.7").status == 0)
        func state() throws -> [String] {
            let assets = try library(workspace, "list", "--json").events.compactMap { $0["asset"] as? String }
            return try [library(workspace, "list", "--json").output]
                + assets.map { try library(workspace, "show", $0, "--json").output }
        }
        let before = try state()
        let tree = try workspace.fingerprint(of: workspace.photos)
        if isLost {
            for end in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: workspace.library.path + "/library.sqlite" + end)
            }
        }
        let rebuilt = try library(workspace, "rebuild")
        #expect(rebuilt.status == 0, "\(rebuilt.output)\(rebuilt.errors)")
        #expect(try state() == before)
        #expect(try workspace.fingerprint(of: workspace.photos) == tree)
        #expect(try library(workspace, "verify").status == 0)
        try workspace.makeSamples(1, first: 4)
        #expect(try workspace.convert("--json").events("completed").count >= 1)
        #expect(workspace.shownPhotos.filter { $0.hasSuffix("neutral.jpg") }.count == 4)
    }

    @Test("A folder that is not a library is not turned into one")
    func notALibrary() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, in: workspace.library)
        for command in ["list", "verify", "rebuild"] { #expect(try library(workspace, command).status == 64) }
        #expect(workspace.files(below: workspace.library) == ["sample-0001.dng"])
    }
}
