import ExternalTools
import Foundation
import Testing

/// `rawmill album export`, with Python as the judge of the archives.
struct AlbumExportTests {
    /// Compares the manifest with the files, and prints the names.
    private static let judge = """
        import hashlib, json, sys, tarfile, zipfile
        path = sys.argv[1]
        if path.endswith(".zip"):
            archive = zipfile.ZipFile(path)
            assert archive.testzip() is None
            names, read = archive.namelist(), archive.read
        else:
            archive = tarfile.open(path)
            names, read = archive.getnames(), lambda name: archive.extractfile(name).read()
        folder = names[0].split("/")[0]
        manifest = json.loads(read(folder + "/manifest.json"))
        for photo in manifest["photos"]:
            bytes = read(folder + "/" + photo["name"])
            assert len(bytes) == photo["bytes"] and hashlib.sha256(bytes).hexdigest() == photo["sha256"]
            adjustment = photo["adjustment"]["data"].encode()
            assert hashlib.sha256(adjustment).hexdigest() == photo["recipe"]
            if photo["original"]:
                assert hashlib.sha256(read(folder + "/" + photo["original"])).hexdigest() == photo["asset"]
        print(manifest["album"], [photo["number"] for photo in manifest["photos"]], *names, sep="\\n")
        """

    private let workspace: Workspace

    init() throws {
        workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert("--long-edge", "200").status == 0)
        #expect(try workspace.convert("--long-edge", "200", "--look", "mono").status == 0)
        #expect(try album("create", "Zürich: ’24").status == 0)
        #expect(try album("add", "Zürich: ’24", "--where", "engine > 0").status == 0)
        #expect(try album("move", "Zürich: ’24", "--where", "path like '%0002%'", "--to", "1").status == 0)
    }

    private func album(_ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["album"] + arguments + ["--library", workspace.library.path])
    }

    private func file(_ name: String) -> URL { workspace.library.deletingLastPathComponent().appending(path: name) }

    private func judged(_ archive: URL) throws -> [String] {
        let script = file("judge.py")
        try Data(Self.judge.utf8).write(to: script)
        return try ExternalTool.run("python3", ["-X", "utf8", script.path, archive.path]).split(separator: "\n").map(
            String.init)
    }

    @Test(
        "An archive has the photos in the album's order, and a true manifest",
        .needs(.program("python3")), arguments: ["zip", "tar"])
    func export(ending: String) throws {
        let archive = file("a.\(ending)")
        let ended = try album("export", "Zürich: ’24", "--to", archive.path, "--json")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.events("exported").first?["photos"] as? Int == 4)
        let names = [
            "sample-0002.mono.jpg", "sample-0002.neutral.jpg", "sample-0001.mono.jpg", "sample-0001.neutral.jpg",
            "manifest.json",
        ].map { "Zürich- ’24/\($0)" }
        #expect(try judged(archive) == ["Zürich: ’24", "[1, 1, 2, 2]"] + names)
        #expect(try album("export", "Zürich: ’24", "--to", archive.path).errors.contains("exists: use another"))
    }

    @Test("RAWs are included once, and a part of an album can be exported", .needs(.program("python3")))
    func originals() throws {
        let archive = file("a.tar")
        #expect(try album("export", "Zürich: ’24", "--to", archive.path, "--originals").status == 0)
        let judged = try judged(archive)
        #expect(judged.filter { $0.hasSuffix(".dng") }.count == 2 && judged.count == 9)
        let part = file("part.zip")
        #expect(try album("export", "Zürich: ’24", "--to", part.path, "--where", "look = 'mono'").status == 0)
        #expect(try self.judged(part).count == 5)
    }

    @Test(
        "A folder has the files of an archive, with sidecars whose metadata exiftool reads",
        .needs(.program("python3")), .needs(.program("exiftool")))
    func folder() throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"
             xmp:Rating="4" xmp:Label="Red"><dc:subject><rdf:Bag><rdf:li>Zürich &amp; See</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        try Data(packet.utf8).write(to: workspace.raw.appending(path: "sample-0001.dng.xmp"))
        #expect(try workspace.convert("--long-edge", "200").status == 0)
        let folder = file("best")
        let arguments = ["export", "Zürich: ’24", "--where", "look = 'neutral'", "--to", folder.path + "/"]
        let ended = try Rawmill.run(
            ["album"] + arguments + ["--originals", "--sidecars", "--json", "--library", workspace.library.path])
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.events("exported").first?["folder"] as? String == folder.path + "/")
        #expect(
            workspace.files(below: folder) == [
                "manifest.json", "originals/sample-0001.dng", "originals/sample-0001.dng.xmp",
                "originals/sample-0002.dng",
                "sample-0001.neutral.jpg", "sample-0001.neutral.jpg.xmp", "sample-0002.neutral.jpg",
            ])
        for sidecar in ["originals/sample-0001.dng.xmp", "sample-0001.neutral.jpg.xmp"] {
            let read = try ExternalTool.run(
                "exiftool", ["-s3", "-Rating", "-Label", "-Subject", folder.appending(path: sidecar).path])
            #expect(read.split(separator: "\n") == ["4", "Red", "Zürich & See"])
        }
        #expect(try album("export", "Zürich: ’24", "--to", folder.path + "/").errors.contains("exists: use another"))
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.deletingLastPathComponent().path)
        #expect(!beside.contains { $0.contains(".partial") })
    }

    @Test("Missing and changed files are left out and named", .needs(.program("python3")))
    func damage() throws {
        let objects = workspace.library.appending(path: "objects")
        let damaged = objects.appending(path: try #require(workspace.files(below: objects).first))
        try FileManager.default.removeItem(at: damaged)
        try Data("other bytes".utf8).write(to: damaged)
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0001.dng"))
        let archive = file("a.zip")
        let ended = try album("export", "Zürich: ’24", "--to", archive.path, "--originals")
        #expect(ended.status == 3)
        #expect(ended.lines.filter { $0.hasPrefix("left out: ") }.count == 2, "\(ended.output)")
        #expect(try judged(archive).count == 2 + 3 + 1 + 1)
    }

    @Test("An archive of an unknown kind, in a missing folder, or of a missing album is refused")
    func refusals() throws {
        #expect(try album("export", "Zürich: ’24", "--to", file("a.rar").path).errors.contains(".zip or .tar"))
        #expect(try album("export", "Zürich: ’24", "--to", "/nowhere/a.zip").errors.contains("there is no folder"))
        #expect(try album("export", "none", "--to", file("a.zip").path).errors.contains("there is no album"))
        #expect(!FileManager.default.fileExists(atPath: file("a.zip").path))
    }
}
