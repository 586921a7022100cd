import ExternalTools
import Foundation
import PictureFormat
import Pixels
import Samples
import Testing

/// A drop is one item of several photos, in both kinds of library.
@Suite("Drops as items") struct DropItemTests {
    private let workspace: Workspace
    private let card: URL

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(1, megapixels: 0.05)
        card = workspace.folder.appending(path: "card")
        try workspace.makeSamples(4, first: 50, megapixels: 0.05, in: card)
    }

    private func sample(_ number: Int) throws -> Data {
        try Data(contentsOf: card.appending(path: "sample-00\(number).dng"))
    }

    /// A RAW of two frames.
    private func burst() -> Data {
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        func frame(_ seed: UInt64) -> DNGPicture {
            let size = PixelSize(width: 300, height: 200)
            return DNGPicture(
                plane: camera.expose(SampleScene(seed: seed), size: size, layout: layout), layout: layout)
        }
        return Data(DNGWriter(camera: camera).file(frame(3), frame(4)))
    }

    private func upload(_ content: Data, _ index: Int, of drop: String, to server: PageServer) throws {
        let path = try server.beginUpload(drop, index, "IMG_\(index).dng", byteCount: content.count)
        #expect(try server.patch(path, at: 0, content) == 204)
    }

    private func files(_ drop: String, _ server: PageServer) throws -> [[String: Any]] {
        try #require(try server.json("GET", "/v1/drops/\(drop)")["files"] as? [[String: Any]])
    }

    private func states(_ drop: String, _ server: PageServer) throws -> [String] {
        try files(drop, server).compactMap { $0["state"] as? String }
    }

    @Test(
        "A placeholder stands for each photo from the start and is replaced in place; failures are named with their remedy, across restarts",
        .night,
        arguments: LibraryTables.tested)
    func item(_ tables: LibraryTables) throws {
        try tables.convert(workspace)
        var server = try PageServer(library: workspace.library)
        let names = (0..<6).map { "DCIM/IMG_\($0).dng" }
        let begun = try server.json(
            "POST", "/v1/drops", ["files": 6, "look": "mono", "title": "Card 1", "names": names])
        let drop = try #require(begun["drop"] as? String)
        let placeholders = try files(drop, server)
        #expect(placeholders.compactMap { $0["index"] as? Int } == Array(0..<6))
        #expect(placeholders.compactMap { $0["name"] as? String } == (0..<6).map { "IMG_\($0).dng" })
        #expect(try states(drop, server) == Array(repeating: "expected", count: 6))

        // They arrive in another order, and the server is killed while they are rendered.
        try upload(burst(), 3, of: drop, to: server)
        try upload(try sample(50), 1, of: drop, to: server)
        try upload(try sample(51).prefix(5000), 4, of: drop, to: server)
        server.program.send(SIGKILL)
        _ = server.program.wait()
        server = try PageServer(library: workspace.library)
        try server.wait { try ["done", "done", "refused"] == [1, 3, 4].map { try states(drop, server)[$0] } }
        #expect(try (files(drop, server)[3]["photos"] as? [Any])?.count == 2, "a file with two frames has two photos")

        // As an album it has its own order, also for later photos.
        let album = try server.json("POST", "/v1/drops/\(drop)/album", [:])["album"] as? String
        #expect(album == "Card 1")
        try upload(try sample(52), 0, of: drop, to: server)
        try upload(try sample(53), 2, of: drop, to: server)
        try server.wait { try server.photos("album=Card%201").count == 5 }
        let order = try [0, 1, 2, 3].flatMap { index in
            try #require(try files(drop, server)[index]["photos"] as? [[String: Any]]).compactMap {
                $0["id"] as? String
            }
        }
        #expect(order.count == 5)
        #expect(try server.photos("album=Card%201").compactMap { $0["id"] as? String } == order)
        #expect(try server.json("POST", "/v1/drops/\(drop)/album", [:])["album"] as? String == "Card 1")
        #expect(try server.photos("album=Card%201").count == 5)

        // The last one never arrives.
        #expect(try server.json("GET", "/v1/drops/\(drop)")["waiting"] as? Int == 1)
        #expect(try server.json("POST", "/v1/drops/\(drop)/close", [:])["refused"] as? Int == 1)
        let whole = try server.json("GET", "/v1/drops/\(drop)")
        #expect(whole["sentence"] as? String == "2 of 6 were not imported.")
        #expect(whole["done"] as? Int == 4 && whole["refused"] as? Int == 2 && whole["waiting"] as? Int == 0)
        let refused = try files(drop, server).filter { $0["state"] as? String == "refused" }
        #expect(refused.compactMap { $0["reason"] as? String } == ["corrupt", "not-sent"])
        #expect(refused.allSatisfy { ($0["remedy"] as? String)?.isEmpty == false })

        // Later versions of a photo replace it, and a failed edit does not count for the drop.
        let first = try #require(order.first)
        _ = try server.json("POST", "/v1/photos/edit", ["photos": [first], "changes": ["look": "velvet"]])
        try server.wait { try (files(drop, server)[0]["photo"] as? [String: Any])?["look"] as? String == "velvet@1" }
        #expect(server.stop().status == 0)

        // The command line reports the same.
        let shown = try Rawmill.run("drops", "show", "Card 1", "--library", workspace.library.path)
        #expect(shown.status == 3 && shown.lines.last == "2 of 6 were not imported.", "\(shown.output)")
        #expect(shown.output.contains("IMG_4.dng: corrupt:") && shown.output.contains("Drop it again."))
        let told = try Rawmill.run("drops", "show", drop, "--json", "--library", workspace.library.path)
        #expect(try told.events("file").compactMap { $0["name"] as? String } == names)
        #expect(try told.events("file").compactMap { ($0["photos"] as? [Any])?.count } == [1, 1, 1, 2, 0, 0])
        #expect(
            try Rawmill.run("drops", "list", "--library", workspace.library.path).output.contains(
                "4 of 6 imported, 2 not"))
        #expect(try Rawmill.run("drops", "show", "zz", "--library", workspace.library.path).status != 0)

        // A missed result is recovered.
        let notes = workspace.library.appending(path: ".rawmill/drops/\(drop).jsonl")
        var lines = String(decoding: try Data(contentsOf: notes), as: UTF8.self).split(separator: "\n").map(String.init)
        for (state, index) in [("done", 1), ("refused", 4)] {
            let known = try #require(
                lines.last { $0.contains("\"index\":\(index),") && $0.contains("\"state\":\"\(state)\"") })
            lines.append(known.replacing("\"state\":\"\(state)\"", with: "\"state\":\"rendering\""))
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: notes)
        server = try PageServer(library: workspace.library)
        try server.wait { try ["done", "refused"] == [1, 4].map { try states(drop, server)[$0] } }
        #expect(try server.json("GET", "/v1/drops/\(drop)")["sentence"] as? String == "2 of 6 were not imported.")
        #expect(try server.photos("album=Card%201").count == 5)
        // A repaired and retried file counts as imported, also after a restart.
        let path = try #require(workspace.shownPhotos.first { $0.hasSuffix("/IMG_4.dng") })
        try sample(51).write(to: workspace.photos.appending(path: path))
        try server.wait { try server.json("GET", "/v1/now")["state"] as? String == "idle" }
        #expect(try server.json("POST", "/v1/failures/retry", ["reason": "corrupt"])["retried"] as? Int == 1)
        try server.wait { try states(drop, server)[4] == "done" }
        #expect(try server.json("GET", "/v1/drops/\(drop)")["sentence"] as? String == "1 of 6 was not imported.")
        try server.wait { try server.photos("album=Card%201").count == 6 }
        #expect(server.stop().status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }

    @Test("A partly failing folder is converted, and the sentence states how many are missing")
    func folder() throws {
        try workspace.makeSamples(4, megapixels: 0.05)
        for number in [2, 3] {
            try Data([1, 2, 3]).write(to: workspace.raw.appending(path: "sample-000\(number).dng"))
        }
        let ended = try workspace.convert("--json")
        #expect(ended.status == 3)
        let summary = try #require(try ended.events("summary").first)
        #expect(summary["sentence"] as? String == "2 of 4 were not imported." && summary["notImported"] as? Int == 2)
        #expect(try ended.events("failed").allSatisfy { ($0["remedy"] as? String)?.isEmpty == false })
        #expect(try workspace.convert().output.contains("2 of 4 were not imported."))
    }
}
