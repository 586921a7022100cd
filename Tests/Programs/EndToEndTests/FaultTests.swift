import ExternalTools
import Foundation
import Testing

struct FaultTests {
    @Test("A second run in a library is refused, and the first is not disturbed")
    func twoOnOne() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(12)
        let first = try Running(["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "1"])
        #expect(first.wait { first.outputSoFar.contains("done ") })
        // Otherwise the first could finish before the second has looked.
        first.send(SIGSTOP)
        defer { first.send(SIGCONT) }
        let second = try workspace.convert()
        #expect(second.status == 70 && second.errors.contains("`rawmill convert` (process"), "\(second.errors)")
        first.send(SIGCONT)
        #expect(first.wait().status == 0)
        #expect(workspace.shownPhotos.count == 12)
    }

    @Test("A library that cannot be written is refused before anything starts")
    func unwritable() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        try Data().write(to: workspace.library)
        for library in [workspace.library.path, workspace.library.path + "/below", "/proc/film"] {
            let ended = try Rawmill.run("convert", workspace.raw.path, "--library", library)
            #expect(ended.status == 64 && ended.errors.contains("cannot be written"), "\(ended.errors)")
        }
    }

    @Test(
        "A library of a newer version is left unchanged", .needs(.program("sqlite3")),
        arguments: [".rawmill/coordinator.sqlite", ".rawmill/broker.sqlite", "library.sqlite"])
    func newer(database: String) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let path = workspace.library.appending(path: database).path
        _ = try ExternalTool.run("sqlite3", [path, "PRAGMA user_version = 999"])
        try workspace.makeSamples(1, first: 2)
        let ended = try workspace.convert()
        #expect([64, 70].contains(ended.status))
        #expect(ended.errors.contains("newer") && ended.errors.contains("pgrade"), "\(ended.errors)")
        #expect(workspace.shownPhotos.count == 1)
    }

    @Test("A damaged database is named with its remedy, which works", arguments: ["coordinator", "broker", "library"])
    func damagedDatabase(name: String) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let path = workspace.library.appending(path: name == "library" ? "library.sqlite" : ".rawmill/\(name).sqlite")
        try Data(repeating: 7, count: 16_384).write(to: path)
        let ended = try workspace.convert()
        #expect(ended.status == 70 && ended.errors.contains(path.lastPathComponent), "\(ended.errors)")
        if name == "library" {
            #expect(ended.errors.contains("run `rawmill library rebuild`"), "\(ended.errors)")
            let rebuilt = try Rawmill.run("library", "rebuild", "--library", workspace.library.path)
            // Albums were only there.
            #expect(rebuilt.status == 3 && rebuilt.output.contains("kept: library.sqlite.old"), "\(rebuilt.output)")
            #expect(try Data(contentsOf: URL(fileURLWithPath: path.path + ".old")).count == 16_384)
        } else {
            #expect(ended.errors.contains("run the same command again"), "\(ended.errors)")
            try FileManager.default.removeItem(at: path)
        }
        #expect(try workspace.convert().status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
        #expect(workspace.shownPhotos.count == 1)
    }

    @Test("An error in a .cube file is reported with its line before anything starts")
    func badCube() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let cube = workspace.folder.appending(path: "bad.cube")
        try Data("TITLE \"x\"\nLUT_3D_SIZE 2\n0 0 0\n1 0 zero\n".utf8).write(to: cube)
        let ended = try workspace.convert("--look", cube.path)
        #expect(ended.status == 64 && ended.errors.contains("line 4"), "\(ended.errors)")
        #expect(!FileManager.default.fileExists(atPath: workspace.library.path))
    }

    @Test("A .cube file becomes a look; the same name with other contents becomes its next version")
    func cube() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let cube = workspace.folder.appending(path: "My Film.cube")
        func write(_ red: Double) throws {
            let rows = (0..<8).map { "\(Double($0 & 1) * red) \($0 >> 1 & 1) \($0 >> 2)" }
            try Data((["LUT_3D_SIZE 2"] + rows).joined(separator: "\n").utf8).write(to: cube)
        }
        try write(0.5)
        #expect(try workspace.convert("--look", cube.path).status == 0)
        #expect(workspace.shownPhotos == ["raw/sample-0001.my-film.jpg"])
        #expect(try workspace.convert("--look", cube.path, "--json").events("completed").isEmpty)
        try write(0.25)
        let plan = try workspace.convert("--look", cube.path, "--dry-run", "--json")
        #expect(try plan.events("planned").first?["changed"] as? Int == 1)
        #expect(try workspace.convert("--look", cube.path, "--json").events("completed").count == 1)
        let listed = try Rawmill.run("library", "list", "--library", workspace.library.path, "--json").events
        #expect(listed.compactMap { $0["look"] as? String } == ["my-film@2"])
    }

    @Test("A RAW too large for a render's memory fails alone, with its reason")
    func limits() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        try workspace.makeSamples(1, first: 2, megapixels: 3)
        let ended = try workspace.convert("--json", "--max-megapixels", "1")
        #expect(ended.status == 3)
        #expect(try ended.events("completed").count == 1)
        #expect(try ended.events("failed").first?["reason"] as? String == "too-large")
    }

    @Test("A file larger than a render's memory is refused before it is read, with any other limits")
    func largerThanMemory() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let huge = workspace.raw.appending(path: "huge.dng")
        #expect(FileManager.default.createFile(atPath: huge.path, contents: nil))
        try FileHandle(forWritingTo: huge).truncate(atOffset: 4 << 30)
        let ended = try workspace.convert("--json", "--max-megapixels", "2000", "--memory-limit", "1G")
        #expect(ended.status == 3)
        #expect(try ended.events("completed").count == 1)
        #expect(try ended.events("failed").first?["reason"] as? String == "too-large", "\(ended.errors)")
        #expect(!ended.errors.contains("job.retried"), "\(ended.errors)")
    }

    @Test("A file that vanishes between plan and render fails with that reason, and is converted when it is back")
    func vanished() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(8)
        let running = try Running([
            "convert", workspace.raw.path, "--library", workspace.library.path, "-j", "1", "--json",
        ])
        #expect(running.wait { running.outputSoFar.contains("\"planned\"") })
        let last = workspace.raw.appending(path: "sample-0008.dng")
        let bytes = try Data(contentsOf: last)
        try FileManager.default.removeItem(at: last)
        let ended = running.wait()
        let reasons = try ended.events("failed").compactMap { $0["reason"] as? String }
        #expect(reasons.allSatisfy { $0 == "source-missing" })
        try bytes.write(to: last)
        #expect(try workspace.convert().status == 0)
        #expect(workspace.shownPhotos.count == 8)
    }
}
