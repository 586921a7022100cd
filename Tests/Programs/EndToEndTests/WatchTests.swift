import ExternalTools
import Foundation
import Testing

@Suite("watch") struct WatchTests {
    @Test(
        "Files that appear in a folder are converted once they stopped growing, and existing ones are not repeated"
    )
    func watched() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.1)
        try #require(try workspace.convert().status == 0)
        try workspace.makeSamples(1, first: 9, megapixels: 0.1, in: workspace.folder.appending(path: "card"))
        let new = try Data(contentsOf: workspace.folder.appending(path: "card/sample-0009.dng"))
        let program = try Running(
            ["watch", workspace.raw.path, "--library", workspace.library.path, "--every", "0.3", "-j", "1"])
        let target = workspace.raw.appending(path: "trip/new.dng")
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data().write(to: target)
        let file = try FileHandle(forWritingTo: target)
        for start in stride(from: 0, to: new.count, by: new.count / 20 + 1) {
            try file.write(contentsOf: new[start..<min(start + new.count / 20 + 1, new.count)])
            usleep(50_000)
        }
        try file.close()
        #expect(program.wait(seconds: 60) { workspace.shownPhotos.contains("raw/trip/new.neutral.jpg") })
        program.send(SIGINT)
        let ended = program.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        let place = "Photos go to \(workspace.library.path)/photos."
        #expect(ended.lines.first?.hasPrefix("Watching ") == true && ended.lines[0].contains(place), "\(ended.output)")
        #expect(ended.lines.last == "Stopped watching: 1 photo converted.", "\(ended.output)")
        #expect(!ended.output.contains("failed"), "a file was read halfway: \(ended.output)")
        #expect(workspace.shownPhotos.sorted() == ["raw/sample-0001.neutral.jpg", "raw/trip/new.neutral.jpg"])
        let refused = try Rawmill.run("watch", "/nowhere", "--library", workspace.library.path)
        #expect(refused.status == 64 && refused.errors.contains("not a folder"))
    }
    @Test(
        "If the library's disk is full it reports this, and continues automatically once there is space",
        .needs(.mounting))
    func fullDisk() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.1)
        let disk = try SmallDisk(bytes: 16 << 20)
        let library = disk.path + "/film"
        let program = try Running(["watch", workspace.raw.path, "--library", library, "--every", "0.3", "-j", "1"])
        #expect(program.wait { program.outputSoFar.contains("Converted 3 photos") })
        try disk.fill()
        try workspace.makeSamples(2, first: 4, megapixels: 0.1)
        #expect(program.wait { program.errorsSoFar.contains("Watch tries again") }, "\(program.errorsSoFar)")
        #expect(program.errorsSoFar.contains("full") && program.errorsSoFar.contains("Free some space"))
        disk.free()
        #expect(program.wait { program.errorsSoFar.contains("Continuing.") }, "\(program.errorsSoFar)")
        program.send(SIGINT)
        #expect(program.wait().status == 0)
        #expect(workspace.files(below: URL(fileURLWithPath: library + "/photos")).count == 5)
        #expect(try Rawmill.run("audit", "--library", library).status == 0)
    }
}
