import ExternalTools
import Foundation
import Testing

/// Repeated runs on the same sources.
struct ConvertTests {
    @Test(
        "A folder of RAWs becomes a library of photos that other programs accept",
        .needs(.program("exiftool")), .needs(.program("identify")))
    func converts() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        let ended = try workspace.convert()
        #expect(ended.status == 0 && ended.errors.isEmpty, "\(ended.errors)")
        let expected = (1...3).map { "raw/sample-000\($0).neutral.jpg" }
        #expect(workspace.shownPhotos == expected)
        for name in expected {
            let path = workspace.photos.appending(path: name).path
            #expect(try ExternalTool.run("identify", ["-format", "%m %wx%h", path]) == "JPEG 774x516")
        }
        let complaints = try ExternalTool.run(
            "exiftool", ["-validate", "-warning", "-error", "-a", "-r", "-q", "-s", workspace.library.path])
        #expect(!complaints.contains("Warning") && !complaints.contains("Error"), "\(complaints)")
        #expect(try workspace.temporaryFiles.isEmpty)
    }

    @Test("A repeated run does nothing, and reports it")
    func again() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let before = try workspace.fingerprint(of: workspace.photos)
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0)
        #expect(try ended.events("completed").isEmpty)
        let summary = try #require(try ended.events("summary").first)
        #expect(summary["unchanged"] as? Int == 2 && summary["accepted"] as? Int == 0)
        #expect(try workspace.fingerprint(of: workspace.photos) == before)
    }

    @Test("Only a changed file is rendered again, and its photo shows the new one")
    func changed() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        #expect(try workspace.convert().status == 0)
        let before = try Data(contentsOf: workspace.photos.appending(path: "raw/sample-0001.neutral.jpg"))
        let other = try Workspace()
        try other.makeSamples(1, first: 7)
        try FileManager.default.removeItem(at: workspace.raw.appending(path: "sample-0001.dng"))
        try FileManager.default.copyItem(
            at: other.raw.appending(path: "sample-0007.dng"), to: workspace.raw.appending(path: "sample-0001.dng"))
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0)
        let completed = try ended.events("completed")
        #expect(completed.count == 1)
        let photo = try #require(completed.first?["photo"] as? String)
        #expect(try Data(contentsOf: URL(fileURLWithPath: photo)) != before)
        #expect(try workspace.convert("--json").events("completed").isEmpty)
    }

    @Test("A touched file gives the same photo in the same place")
    func touched() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        let raw = workspace.raw.appending(path: "sample-0001.dng")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: raw.path)
        #expect(try workspace.convert("--json").events("completed").count == 1)
        #expect(workspace.shownPhotos == ["raw/sample-0001.neutral.jpg"])
        #expect(workspace.files(below: workspace.library.appending(path: "objects")).count == 1)
    }

    @Test(
        "Another look or quality is shown beside the first, and another edit instead of the old one",
        .needs(.program("identify")),
        .needs(.program("convert")))
    func looks() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(try workspace.convert().status == 0)
        #expect(try workspace.convert("--look", "mono").status == 0)
        #expect(try workspace.convert("--look", "mono@1", "--quality", "40").status == 0)
        #expect(try workspace.convert("--look", "mono@1", "--exposure", "1").status == 0)
        let shown = ["mono", "mono.q40", "neutral"].map { "raw/sample-0001.\($0).jpg" }
        #expect(workspace.shownPhotos == shown)
        #expect(workspace.files(below: workspace.library.appending(path: "objects")).count == 4)
        let mono = workspace.photos.appending(path: "raw/sample-0001.mono.q40.jpg").path
        #expect(try ExternalTool.run("identify", ["-format", "%Q", mono]) == "40")
        let isGrey = try ExternalTool.run(
            "convert",
            [mono, "-colorspace", "HSL", "-channel", "g", "-separate", "-format", "%[fx:mean<0.02]", "info:"])
        #expect(isGrey == "1")
    }

    @Test(
        "Size, colour space, exposure and strength reach the photo", .needs(.program("exiftool")),
        .needs(.program("identify")))
    func settings() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let ended = try workspace.convert(
            "--long-edge", "300", "--colour-space", "display-p3", "--look", "sepia", "--strength", "0.5", "--exposure",
            "-1.5", "--no-denoise")
        #expect(ended.status == 0, "\(ended.errors)")
        let photo = workspace.photos.appending(path: "raw/sample-0001.sepia.jpg").path
        #expect(try ExternalTool.run("identify", ["-format", "%wx%h", photo]) == "300x200")
        let profile = try ExternalTool.run("exiftool", ["-s3", "-ICC_Profile:ProfileDescription", photo])
        #expect(profile.contains("P3"), "\(profile)")
        let shown = try Rawmill.run(
            "library", "show", "photos/raw/sample-0001.sepia.jpg", "--library", workspace.library.path)
        #expect(shown.output.contains("exposure=-1.5") && shown.output.contains("look-strength=0.5"))
        #expect(shown.output.contains("noise-reduction=off"))
    }

    @Test("Without a terminal each file has a line, without control characters")
    func plainLines() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let ended = try workspace.convert()
        #expect(ended.lines.filter { $0.hasPrefix("done ") }.count == 2)
        #expect(ended.lines.contains { $0.hasPrefix("Converted 2 photos") })
        #expect(!(ended.output + ended.errors).contains("\u{1B}") && !ended.output.contains("\r"))
    }

    @Test(
        "On a terminal a progress line is drawn, in colour unless NO_COLOR is set",
        .needs(.pseudoTerminals), .needs(.program("script")))
    func terminal() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(3)
        try Data("no RAW".utf8).write(to: workspace.raw.appending(path: "broken.nef"))
        for environment in ["NO_COLOR=1", "X=1"] {
            let library = workspace.folder.appending(path: environment).path
            let command = "'\(Rawmill.program.path)' convert '\(workspace.raw.path)' --library '\(library)'"
            let seen = try ExternalTool.run(
                "script", ["-qec", "env -u NO_COLOR TERM=xterm \(environment) \(command)", "/dev/null"])
            #expect(seen.contains("of 4 photos") && seen.contains("\r"))
            #expect(seen.contains("\u{1B}[31mnot-raw\u{1B}[0m") == (environment == "X=1"))
        }
    }

    @Test("Only files named as RAWs are converted, and links that leave the folder are skipped")
    func choice() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        try Data("text".utf8).write(to: workspace.raw.appending(path: "notes.txt"))
        let elsewhere = workspace.folder.appending(path: "elsewhere")
        try workspace.makeSamples(1, first: 2, in: elsewhere)
        try FileManager.default.createSymbolicLink(
            at: workspace.raw.appending(path: "link"), withDestinationURL: elsewhere)
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0)
        #expect(try ended.events("completed").count == 1)
        #expect(try ended.events("planned").first?["notRaw"] as? Int == 1)
    }

    @Test("Files whose names are not UTF-8, or have blanks and newlines, are converted like others")
    func names() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        _ = try ExternalTool.run(
            "bash", ["-c", #"cd "$0" && mv sample-0001.dng $'a\xff b\nc.dng'"#, workspace.raw.path])
        let ended = try workspace.convert("--json")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try ended.events("completed").count == 1)
    }
}
