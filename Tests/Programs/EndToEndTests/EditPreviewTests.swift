import ExternalTools
import Foundation
import Testing

/// Previews of an edit before its photos exist, in both kinds of library.
@Suite("edit: previews first") struct EditPreviewTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.1)
    }

    private var names: [String] {
        (1...3).map { workspace.photos.appending(path: "raw/sample-000\($0).neutral.jpg").path }
    }

    private var edits: [String] {
        let folder = workspace.library.appending(path: ".rawmill/edits").path
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    private func show(_ name: String) throws -> [String: Any] {
        let shown = try Rawmill.run("library", "show", name, "--library", workspace.library.path, "--json")
        let photo = try #require((try shown.events.first?["photos"] as? [[String: Any]])?.first, "\(shown.errors)")
        return photo
    }

    @Test(
        "All previews come before the first photo, exist as long as the edit, and are removed with it",
        arguments: LibraryTables.tested)
    func previewed(_ tables: LibraryTables) throws {
        try tables.convert(workspace)
        let running = try Running(
            ["edit"] + names + ["--look", "mono", "-j", "1", "--json", "--library", workspace.library.path])
        var isPicture = false
        _ = running.wait {
            guard let line = running.outputSoFar.split(separator: "\n").first(where: { $0.contains("\"preview\"") }),
                let event = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let path = event["preview"] as? String,
                let bytes = try? Data(contentsOf: URL(fileURLWithPath: path))
            else { return false }
            isPicture = bytes.starts(with: [0xff, 0xd8])
            return true
        }
        let ended = running.wait()
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(isPicture, "\(ended.output)")
        let kinds = try ended.events.compactMap { $0["event"] as? String }
        #expect(kinds == ["preview", "preview", "preview", "photo", "photo", "photo"])
        #expect(try ended.events("preview").allSatisfy { $0["look"] as? String == "mono@1" })
        #expect(edits.isEmpty)
        #expect(workspace.shownPhotos.allSatisfy { $0.contains("mono") })
        // Renditions of the library are neither previewed nor rendered.
        let back = try Rawmill.run(
            "edit", "--where", "look = 'mono'", "--look", "neutral", "--json", "--library", workspace.library.path)
        #expect(try back.status == 0 && back.events.allSatisfy { $0["event"] as? String == "photo" }, "\(back.output)")
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }

    @Test(
        "A photo that cannot be rendered despite a good preview stays unchanged and reports why, until it is edited again",
        .night,
        arguments: LibraryTables.tested)
    func failed(_ tables: LibraryTables) throws {
        try tables.convert(workspace)
        let raw = workspace.raw.appending(path: "sample-0003.dng")
        let good = try Data(contentsOf: raw)
        let running = try Running(
            ["edit"] + names + ["--look", "mono", "-j", "1", "--json", "--library", workspace.library.path])
        _ = try running.wait {
            guard running.outputSoFar.components(separatedBy: "\"event\":\"preview\"").count == 4 else { return false }
            try Data("no RAW any more".utf8).write(to: raw)
            return true
        }
        let ended = running.wait()
        #expect(ended.status == 3, "\(ended.output)")
        #expect(try ended.events("photo").count == 2)
        let problem = try #require(try ended.events("unchanged").first?["problem"] as? String)
        #expect(problem.contains("it could not be rendered"))
        #expect(workspace.shownPhotos.last == "raw/sample-0003.neutral.jpg")
        let edit = try #require(try show(names[2])["edit"] as? [String: Any])
        #expect(edit["state"] as? String == "failed" && edit["look"] as? String == "mono@1")
        #expect((edit["message"] as? String)?.contains("it could not be rendered") == true)
        #expect(try show(workspace.photos.appending(path: "raw/sample-0001.mono.jpg").path)["edit"] is NSNull)
        #expect(edits.count == 1 && edits.allSatisfy { $0.hasSuffix(".json") }, "no preview is left: \(edits)")

        // The page reports it too.
        do {
            let server = try PageServer(library: workspace.library)
            let listed = try #require(try server.json("GET", "/v1/edits")["edits"] as? [[String: Any]])
            #expect(listed.count == 1 && listed.first?["state"] as? String == "failed")
            let id = try #require(listed.first?["photo"] as? String)
            let details = try server.json("GET", "/v1/photos/\(id)")
            #expect((details["edit"] as? [String: Any])?["message"] as? String == edit["message"] as? String)
            #expect(server.stop().status == 0)
        }
        try good.write(to: raw)
        let again = try Rawmill.run("edit", names[2], "--look", "mono", "--library", workspace.library.path)
        #expect(again.status == 0 && again.output.contains(": preview /"), "\(again.output) \(again.errors)")
        #expect(edits.isEmpty)
    }

    @Test(
        "An edit on the page shows previews, and continues automatically after the server was killed", .night,
        arguments: LibraryTables.tested)
    func served(_ tables: LibraryTables) throws {
        try tables.convert(workspace)
        var server = try PageServer(library: workspace.library)
        let photos = try server.photos().compactMap { $0["id"] as? String }
        let order = try server.json("POST", "/v1/photos/edit", ["photos": photos, "changes": ["look": "mono"]])
        #expect(order["order"] is String)
        server.program.send(SIGKILL)
        _ = server.program.wait()
        #expect(!edits.isEmpty)
        server = try PageServer(library: workspace.library)
        try server.wait { try server.photos("look=mono").count == 3 }
        try server.wait { edits.isEmpty }
        #expect(try (server.json("GET", "/v1/edits")["edits"] as? [Any])?.isEmpty == true)
        // Each moved once, and nothing more.
        let id = try #require(try server.photos("look=mono").first?["id"] as? String)
        #expect((try server.json("GET", "/v1/photos/\(id)")["revisions"] as? [Any])?.count == 2)

        // The newest edit counts, in any order of completion.
        for look in ["velvet", "attic"] {
            try server.wait {
                let shown = try server.photos().compactMap { $0["id"] as? String }
                let body = try JSONSerialization.data(
                    withJSONObject: ["photos": shown, "changes": ["look": look]])
                let answer = try server.send("POST", "/v1/photos/edit", body)
                // The first may be shown between the two questions.
                #expect([202, 404].contains(answer.status), "\(String(decoding: answer.body, as: UTF8.self))")
                return answer.status == 202
            }
        }
        try server.wait { try server.photos("look=attic").count == 3 }
        try server.wait { edits.isEmpty }
        #expect(try server.photos("look=velvet").isEmpty)
        #expect(server.stop().status == 0)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
        #expect(try Rawmill.run("audit", "--library", workspace.library.path).status == 0)
    }
}
