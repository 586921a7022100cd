import Foundation
import Testing

struct OriginalsTests {
    @Test("A copied RAW stands beside its photo, byte for byte, and the source stays")
    func copy() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let sources = try workspace.fingerprint(of: workspace.raw)
        #expect(try workspace.convert("--originals", "copy").status == 0)
        #expect(try workspace.fingerprint(of: workspace.raw) == sources)
        for number in 1...2 {
            let name = "sample-000\(number).dng"
            let copy = workspace.photos.appending(path: "raw/\(name)")
            #expect(try Data(contentsOf: copy) == Data(contentsOf: workspace.raw.appending(path: name)))
        }
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("A moved RAW is in the library before its source is removed, and a failed one stays where it is")
    func move() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let bytes = try Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng"))
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "strange.nef"))
        #expect(try workspace.convert("--originals", "move").status == 3)
        #expect(workspace.files(below: workspace.raw) == ["strange.nef"])
        #expect(try Data(contentsOf: workspace.photos.appending(path: "raw/sample-0001.dng")) == bytes)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("A sidecar and a sound file follow a moved RAW, and the library stays without findings")
    func companions() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        for name in ["sample-0001.wav", "sample-0001.dng.dop"] {
            try Data(name.utf8).write(to: workspace.raw.appending(path: name))
        }
        #expect(try workspace.convert("--originals", "move").status == 0)
        #expect(workspace.files(below: workspace.raw).isEmpty)
        #expect(workspace.shownPhotos.contains("raw/sample-0001.wav"))
        #expect(workspace.shownPhotos.contains("raw/sample-0001.dng.dop"))
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("By default the RAWs stay where they are, and the library has none")
    func reference() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let sources = try workspace.fingerprint(of: workspace.raw)
        #expect(try workspace.convert().status == 0)
        #expect(try workspace.fingerprint(of: workspace.raw) == sources)
        #expect(!workspace.files(below: workspace.library).contains { $0.hasSuffix(".dng") })
    }

    @Test("RAWs of finished photos are copied, then moved, on a later request; the photos stay")
    func later() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.jpg")
        let copy = workspace.photos.appending(path: "raw/sample-0001.dng")
        let before = try Data(contentsOf: photo)
        let planned = try workspace.convert("--originals", "copy", "--dry-run")
        #expect(
            planned.lines.contains { $0.contains("changed") && $0.contains("sample-0001.dng") }, "\(planned.output)")
        #expect(try workspace.convert("--originals", "copy").status == 0)
        #expect(try Data(contentsOf: copy) == Data(contentsOf: workspace.raw.appending(path: "sample-0001.dng")))
        #expect(try workspace.convert("--originals", "copy").output.contains("1 unchanged"))
        #expect(try workspace.convert().output.contains("1 unchanged"), "a weaker policy requests nothing")
        #expect(try workspace.convert("--originals", "move").status == 0)
        #expect(workspace.files(below: workspace.raw).isEmpty)
        #expect(FileManager.default.fileExists(atPath: copy.path))
        #expect(try Data(contentsOf: photo) == before)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }
}

struct DuplicateRawTests {
    @Test("Different sidecars of the same name for one RAW in two folders follow the RAW of their folder")
    func companions() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, in: workspace.raw.appending(path: "trip"))
        try FileManager.default.copyItem(
            at: workspace.raw.appending(path: "trip"), to: workspace.raw.appending(path: "best"))
        for folder in ["trip", "best"] {
            let file = workspace.raw.appending(path: "\(folder)/sample-0001.dng.pp3")
            try Data("settings in \(folder)".utf8).write(to: file)
        }
        #expect(try workspace.convert("--originals", "move").status == 0)
        #expect(workspace.files(below: workspace.raw).isEmpty)
        for folder in ["trip", "best"] {
            let file = workspace.photos.appending(path: "raw/\(folder)/sample-0001.dng.pp3")
            #expect(try String(contentsOf: file, encoding: .utf8) == "settings in \(folder)")
        }
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }

    @Test("One RAW in two folders gives a photo in both, and a move removes both once the library has it")
    func duplicates() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1, in: workspace.raw.appending(path: "trip"))
        try FileManager.default.copyItem(
            at: workspace.raw.appending(path: "trip"), to: workspace.raw.appending(path: "best"))
        #expect(try workspace.convert().status == 0)
        let both = ["raw/best/sample-0001.neutral.jpg", "raw/trip/sample-0001.neutral.jpg"]
        #expect(workspace.shownPhotos == both)
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
        #expect(try workspace.convert("--originals", "move").status == 0)
        #expect(workspace.files(below: workspace.raw).isEmpty)
        #expect(
            workspace.shownPhotos
                == (both + ["raw/best/sample-0001.dng", "raw/trip/sample-0001.dng"]).sorted())
        #expect(try Rawmill.run("library", "verify", "--library", workspace.library.path).status == 0)
    }
}
