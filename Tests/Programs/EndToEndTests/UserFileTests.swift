import ExternalTools
import Foundation
import Testing

struct UserFileTests {
    private func library(_ workspace: Workspace, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library"] + arguments + ["--library", workspace.library.path])
    }

    @Test("A rating written by exiftool survives the next conversion, and is adopted", .needs(.program("exiftool")))
    func rating() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg")
        for way in ["-overwrite_original", "-overwrite_original_in_place"] {
            let tool = Process()
            tool.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            tool.arguments = ["exiftool", "-q", "-Rating=5", way, photo.path]
            try tool.run()
            tool.waitUntilExit()
            #expect(tool.terminationStatus == 0)
            let found = try library(workspace, "verify", "--json").events("finding")
            #expect(found.map { $0["kind"] as? String } == ["photo-edited"])
        }
        try checkEdit(photo, workspace)
    }

    @Test("An edited photo and a foreign file stay unchanged, and the report names them")
    func edited() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg")
        let handle = try FileHandle(forWritingTo: photo)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("edited".utf8))
        try handle.close()
        try checkEdit(photo, workspace)
    }

    @Test("A user's copy of a photo stays, through verify, repair and rebuild")
    func copy() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg")
        let copies = ["raw/mine.jpg", "raw/sample-0002.mono.jpg"].map { workspace.photos.appending(path: $0) }
        for copy in copies { try FileManager.default.copyItem(at: photo, to: copy) }
        for command in [["verify"], ["verify", "--repair"], ["rebuild"], ["verify", "--repair"]] {
            _ = try Rawmill.run(["library"] + command + ["--library", workspace.library.path])
            for copy in copies { #expect(try Data(contentsOf: copy) == Data(contentsOf: photo), "\(command)") }
        }
        #expect(workspace.shownPhotos.count == 4)
    }

    private func checkEdit(_ photo: URL, _ workspace: Workspace) throws {
        let edited = try Data(contentsOf: photo)
        let foreign = workspace.photos.appending(path: "raw/sample-0002.sepia.jpg")
        try Data("mine".utf8).write(to: foreign)

        let again = try workspace.convert("--exposure", "1", "--json")
        #expect(again.status == 0, "\(again.errors)")
        let occupied = try again.events("completed").flatMap { $0["occupied"] as? [String] ?? [] }
        #expect(occupied.map { $0.hasSuffix("photos/raw/sample-0001.neutral.jpg") } == [true])
        #expect(try Data(contentsOf: photo) == edited)

        let sepia = try workspace.convert("--look", "sepia")
        #expect(sepia.status == 0 && sepia.output.contains("photos/raw/sample-0002.sepia.jpg was edited, or is not"))
        #expect(try String(contentsOf: foreign, encoding: .utf8) == "mine")
        #expect(workspace.shownPhotos.contains("raw/sample-0002.dng.sepia.jpg"))

        let found = try library(workspace, "verify", "--json")
        #expect(found.status == 3)
        let kinds = try found.events("finding").map { $0["kind"] as? String }
        #expect(kinds == ["photo-edited"])
        #expect(try library(workspace, "verify", "--adopt-edits").status == 3, "there were findings until now")
        let clean = try library(workspace, "verify")
        #expect(clean.status == 0 && clean.output.contains("2 files in photos/ are your own"), "\(clean.output)")
        #expect(try Data(contentsOf: photo) == edited)
    }
}
