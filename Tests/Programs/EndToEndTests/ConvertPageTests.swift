import Foundation
import Testing

/// `rawmill convert --serve`: the page of a run.
@Suite(.timeLimit(.minutes(3))) struct ConvertPageTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(6, megapixels: 0.5)
        try workspace.makeSamples(1, first: 50, megapixels: 0.1, in: workspace.folder.appending(path: "card"))
    }

    private func begin(_ options: [String] = [], slots: Int = 1) throws -> Running {
        try Running(
            [
                "convert", workspace.raw.path, "--library", workspace.library.path, "-j", "\(slots)", "--serve",
                "--listen",
            ]
                + ["127.0.0.1:0"] + options)
    }

    @Test("The page exists during the run, shows its progress, develops dropped files, and ends with it")
    func whileItRuns() throws {
        let server = try PageServer(try begin(slots: 2))
        #expect(try server.json("GET", "/v1/session")["mode"] as? String == "library")
        let dropped = try Data(contentsOf: workspace.folder.appending(path: "card/sample-0050.dng"))
        let drop = try #require(
            try server.json("POST", "/v1/drops", ["files": 1, "look": "mono", "title": "Card"])["drop"] as? String)
        let path = try server.beginUpload(drop, 0, "late.dng", byteCount: dropped.count)
        #expect(try server.patch(path, at: 0, dropped) == 204)
        try server.wait { try server.json("GET", "/v1/now")["completed"] as? Int ?? 0 > 0 }
        try server.wait { try server.photos().count == 7 }
        #expect(try server.json("GET", "/v1/now")["slots"] as? Int == 2)
        let workers = try #require(try server.json("GET", "/v1/workers")["workers"] as? [[String: Any]])
        #expect(workers.map { ($0["slots"] as? [Any])?.count } == [2])
        let batches = try #require(try server.json("GET", "/v1/batches")["batches"] as? [[String: Any]])
        #expect(Set(batches.compactMap { $0["accepted"] as? Int }) == [6, 1])
        let ended = server.program.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(throws: (any Error).self) { try server.send("GET", "/v1/session") }
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("It ends on Ctrl-C like any run, and its other output is unchanged")
    func interrupted() throws {
        let server = try PageServer(try begin(["--long-edge", "400"]))
        #expect(try server.send("GET", "/").status == 200)
        server.program.send(SIGINT)
        let ended = server.program.wait()
        #expect([0, 130].contains(ended.status), "\(ended.errors)")
        let again = try Rawmill.run(
            "convert", workspace.raw.path, "--library", workspace.library.path, "--long-edge", "400", "--json",
            "--serve",
            "--listen", "127.0.0.1:0")
        #expect(again.status == 0 && again.errors.contains("The page is at http://127.0.0.1:"))
        #expect(again.output.split(separator: "\n").allSatisfy { $0.hasPrefix("{") }, "only JSON on standard output")
    }

    @Test("A page that others could reach, or of a folder, is refused before anything is done")
    func refused() throws {
        let open = try Rawmill.run(
            "convert", workspace.raw.path, "--library", workspace.library.path, "--serve", "--listen", ":7420")
        #expect(open.status == 64 && open.errors.contains("rawmill serve"))
        let folder = try Rawmill.run(
            "convert", workspace.raw.path, "--out", workspace.folder.appending(path: "out").path, "--serve")
        #expect(folder.status == 64 && folder.errors.contains("--library"))
        #expect(!FileManager.default.fileExists(atPath: workspace.library.path))
    }
}
