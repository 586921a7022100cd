import ExternalTools
import Foundation
import Testing

/// `rawmill library rescan`: metadata added beside RAWs after their conversion.
@Suite("Rereading sidecars") struct RescanTests {
    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(3, megapixels: 0.1)
        #expect(try workspace.convert("--look", "mono").status == 0)
    }

    private func write(_ name: String, rating: Int, _ words: String...) throws {
        let bag = words.map { "<rdf:li>\($0)</rdf:li>" }.joined()
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmp:Rating="\(rating)"><dc:subject><rdf:Bag>\(bag)</rdf:Bag></dc:subject></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        try Data(packet.utf8).write(to: workspace.raw.appending(path: name))
    }

    private func rescan(_ options: String...) throws -> [String: Any] {
        let ended = try Rawmill.run(["library", "rescan", "--library", workspace.library.path, "--json"] + options)
        #expect(ended.status == 0, "\(ended.output) \(ended.errors)")
        return try #require(try ended.events("rescanned").first)
    }

    private func count(_ condition: String) throws -> Int {
        let ended = try Rawmill.run(
            "library", "list", "--library", workspace.library.path, "--where", condition, "--count")
        return try #require(Int(ended.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// ImageMagick's hashes of the pixels, by the names of the photos.
    private func pictures() throws -> [String: String] {
        var pictures: [String: String] = [:]
        for name in workspace.shownPhotos {
            let path = workspace.photos.appending(path: name).path
            pictures[name] = try ExternalTool.run("identify", ["-format", "%#", path])
        }
        return pictures
    }

    @Test(
        "Stars and keywords of both kinds of sidecars are taken over and counted, once; the pictures stay",
        .needs(.program("exiftool")), .needs(.program("identify")))
    func takesOver() throws {
        let pictures = try pictures()
        #expect(try rescan()["changed"] as? Int == 0)
        try write("sample-0001.dng.xmp", rating: 4, "lake")
        try write("sample-0002.xmp", rating: 2, "sea", "&lt;b&gt;")
        #expect(try rescan("--where", "rating = 0 and path like '%0001%'")["changed"] as? Int == 1)
        let report = try rescan()
        #expect(report["photos"] as? Int == 3 && report["changed"] as? Int == 1)
        #expect(try rescan()["changed"] as? Int == 0)
        #expect(try count("rating = 4 and keyword = 'lake'") == 1 && count("keyword = '<b>' and rating = 2") == 1)
        #expect(try self.pictures() == pictures)
        let shown = workspace.photos.appending(path: "raw/sample-0001.mono.jpg").path
        #expect(try ExternalTool.run("exiftool", ["-s3", "-XMP:Rating", "-Subject", shown]) == "4\nlake\n")

        // Nothing is left for convert to do.
        let again = try workspace.convert("--look", "mono", "--json")
        #expect(try again.status == 0 && again.events("completed").isEmpty, "\(again.output)")

        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0001.dng.xmp"))
        #expect(try rescan()["changed"] as? Int == 1)
        #expect(try count("keyword = 'lake'") == 0 && count("rating = 0") == 2)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("A sidecar that was put beside a dropped RAW in the library is taken over like any other")
    func dropped() throws {
        let drop = workspace.photos.appending(path: "drops/2026-11-29 Card")
        try FileManager.default.createDirectory(at: drop, withIntermediateDirectories: true)
        try workspace.makeSamples(1, first: 40, megapixels: 0.1, in: drop)
        let raw = drop.appending(path: "sample-0040.dng").path
        #expect(try Rawmill.run("convert", raw, "--library", workspace.library.path, "--look", "mono").status == 0)
        #expect(try rescan()["changed"] as? Int == 0)
        try write("sample-0040.xmp", rating: 5, "drop")
        try FileManager.default.moveItem(
            at: workspace.raw.appending(path: "sample-0040.xmp"), to: drop.appending(path: "sample-0040.xmp"))
        let report = try rescan()
        #expect(report["changed"] as? Int == 1 && report["ownCopies"] as? Int == 0)
        #expect(try count("keyword = 'drop' and rating = 5") == 1)
        #expect(try rescan()["changed"] as? Int == 0)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("Removing a sidecar also removes its stars in convert")
    func takenAway() throws {
        try write("sample-0001.xmp", rating: 4, "lake")
        #expect(try workspace.convert("--look", "mono").status == 0)
        #expect(try count("keyword = 'lake'") == 1)
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0001.xmp"))
        #expect(try workspace.convert("--look", "mono", "--json").events("completed").count == 1)
        #expect(try count("keyword = 'lake'") == 0 && count("rating = 0") == 3)
        #expect(try workspace.convert("--look", "mono", "--json").events("completed").isEmpty)
    }

    @Test("An edited photo keeps its edit and its history, and gets the new metadata")
    func edited() throws {
        let photo = workspace.photos.appending(path: "raw/sample-0001.mono.jpg").path
        let library = ["--library", workspace.library.path]
        #expect(try Rawmill.run(["edit", photo, "--exposure", "1"] + library).status == 0)
        try write("sample-0001.xmp", rating: 5, "lake")
        #expect(try rescan()["changed"] as? Int == 1)
        #expect(try count("exposure = 1 and keyword = 'lake'") == 1 && count("engine > 0") == 3)
        #expect(try Rawmill.run(["undo", photo] + library).status == 0)
        #expect(try count("exposure = 0") == 3)
        #expect(try rescan()["changed"] as? Int == 1, "the revision that is shown now was not")
        #expect(try Rawmill.run(["redo", photo] + library).status == 0)
        #expect(try count("exposure = 1 and rating = 5") == 1)
    }

    @Test(
        "Rows of an earlier version are completed from their photos; a missing RAW is reported",
        .needs(.program("sqlite3")))
    func completes() throws {
        try write("sample-0001.xmp", rating: 5, "lake")
        #expect(try workspace.convert("--look", "mono").status == 0)
        let database = workspace.library.appending(path: "library.sqlite").path
        _ = try ExternalTool.run(
            "sqlite3", [database, "UPDATE renditions SET rating = NULL, keywords = NULL; DELETE FROM keywords"])
        #expect(try count("keyword = 'lake'") == 0)
        let report = try rescan()
        #expect(report["completed"] as? Int == 3 && report["changed"] as? Int == 0)
        #expect(try count("keyword = 'lake' and rating = 5") == 1 && count("rating is null") == 0)
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0002.dng"))
        let ended = try Rawmill.run("library", "rescan", "--library", workspace.library.path)
        #expect(ended.status == 3 && ended.output.contains("have changed: 1 photo."), "\(ended.output)")
    }
}
