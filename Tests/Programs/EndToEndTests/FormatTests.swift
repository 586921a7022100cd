import ExternalTools
import Foundation
import SeededRandom
import Testing

/// Photos in other formats than JPEG, in libraries and in folders.
@Suite(.serialized) struct FormatTests {
    private static let all = [
        "--format", "jpeg", "--format", "tiff", "--format", "png", "--format", "avif", "--format", "jxl",
    ]
    private static let extensions = ["avif", "jpg", "jxl", "png", "tif"]

    private func library(_ workspace: Workspace, _ arguments: String...) throws -> Rawmill.Ended {
        try Rawmill.run(["library"] + arguments + ["--library", workspace.library.path])
    }

    @Test(
        "One RAW in five formats is shown side by side, and the library can be verified, rebuilt and pruned",
        .needs(.program("exiftool")), .needs(.program("identify")))
    func library() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(2)
        let ended = try Rawmill.run(
            ["convert", workspace.raw.path, "--library", workspace.library.path] + Self.all + ["--quality", "80"])
        #expect(ended.status == 0, "\(ended.errors)")
        let names = (1...2).flatMap { number in
            ["q80.avif", "q80.jpg", "q80.jxl", "png", "tif"].map { "raw/sample-000\(number).neutral.\($0)" }
        }
        let expected = names.map { $0.replacingOccurrences(of: ".q80", with: "") }
        #expect(workspace.shownPhotos == expected)
        for name in expected where !name.hasSuffix(".avif") && !name.hasSuffix(".jxl") {
            let depth = try ExternalTool.run(
                "identify", ["-format", "%z", workspace.photos.appending(path: name).path])
            #expect(depth == (name.hasSuffix(".jpg") ? "8" : "16"))
        }
        for name in expected {
            let judgement = try ExternalTool.run(
                "exiftool",
                ["-validate", "-warning", "-error", "-a", "-s3", workspace.photos.appending(path: name).path])
            // EXIF does not require a place to state how it was found; exiftool expects it in TIFFs.
            let complaints = judgement.split(separator: "\n").filter {
                $0 != "OK" && $0.wholeMatch(of: /\d+ Warnings?( \(.*\))?/) == nil
                    && !$0.hasSuffix("GPSProcessingMethod")
            }
            #expect(complaints.isEmpty, "\(name): \(judgement)")
        }
        let before = try workspace.fingerprint(of: workspace.library.appending(path: "objects"))
        let verified = try library(workspace, "verify")
        #expect(verified.status == 0, "\(verified.output)")
        let rebuilt = try library(workspace, "rebuild")
        #expect(rebuilt.status == 0, "\(rebuilt.output)")
        #expect(workspace.shownPhotos == expected)
        #expect(try library(workspace, "verify").status == 0)
        let shown = try library(workspace, "show", "photos/raw/sample-0001.neutral.tif")
        #expect(shown.output.contains("format=tiff"), "\(shown.output)")
        let pruned = try library(workspace, "prune", "--yes")
        #expect(pruned.status == 0, "\(pruned.output) \(pruned.errors)")
        #expect(try workspace.fingerprint(of: workspace.library.appending(path: "objects")) == before)
        let again = try Rawmill.run(
            ["convert", workspace.raw.path, "--library", workspace.library.path] + Self.all
                + ["--quality", "80", "--json"])
        #expect(try again.status == 0 && again.events("completed").isEmpty)
        let removed = try library(workspace, "remove", "photos/raw/sample-0002.neutral.tif", "--yes")
        #expect(removed.status == 0, "\(removed.output) \(removed.errors)")
        #expect(workspace.shownPhotos == expected.filter { $0 != "raw/sample-0002.neutral.tif" })
        #expect(try library(workspace, "verify").status == 0)
    }

    @Test(
        "A rating written by exiftool is adopted", .needs(.program("exiftool")),
        arguments: ["tif", "png", "avif", "jxl"])
    func edits(fileExtension: String) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        #expect(
            try Rawmill.run(["convert", workspace.raw.path, "--library", workspace.library.path] + Self.all).status == 0
        )
        let photo = workspace.photos.appending(path: "raw/sample-0001.neutral.\(fileExtension)").path
        _ = try ExternalTool.run("exiftool", ["-q", "-overwrite_original", "-XMP:Rating=5", photo])
        #expect(try ExternalTool.run("exiftool", ["-s3", "-XMP:Rating", photo]) == "5\n")
        let found = try library(workspace, "verify", "--json").events("finding")
        #expect(found.map { $0["kind"] as? String } == ["photo-edited"])
        _ = try library(workspace, "verify", "--adopt-edits")
        let clean = try library(workspace, "verify")
        #expect(clean.status == 0 && clean.output.contains("1 file in photos/"), "\(clean.output)")
    }

    @Test("Kill -9 at any moment leaves complete photos of every format, and no other files", .night)
    func kills() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let workspace = try Workspace()
        try workspace.makeSamples(6, megapixels: 6)
        let command =
            ["convert", workspace.raw.path, "--library", workspace.library.path, "-j", "2"] + Self.all
        for _ in 0..<6 {
            let running = try Running(command)
            let children = ProcessTree.children(of: running.identifier)
            usleep(UInt32.random(in: 100_000...1_500_000, using: &random))
            running.send(SIGKILL)
            _ = running.wait()
            #expect(ProcessTree.areGone(children, within: 60))
        }
        let ended = try Rawmill.run(command)
        #expect(ended.status == 0, "\(ended.output)")
        #expect(workspace.shownPhotos.count == 30)
        #expect(try LibraryAudit(library: workspace.library).failedPaths() == [])
        let verified = try library(workspace, "verify")
        #expect(verified.status == 0, "\(verified.output)")
        #expect(try workspace.temporaryFiles.isEmpty)
    }

    @Test(
        "An option that applies to no format is refused with the remedy; with several formats it applies to those that have it",
        arguments: [
            (["--hdr"], "png"), (["--progressive"], "tiff"), (["--subsampling", "420"], "avif"),
            (["--subsampling", "auto"], "jxl"), (["--quality", "80"], "png"), (["--quality", "80"], "tiff"),
        ])
    func optionsOfJPEG(option: [String], format: String) throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let out = workspace.library.deletingLastPathComponent().appending(path: "out")
        let command = ["convert", workspace.raw.path, "--out", out.path, "--dry-run", "--format", format] + option
        let refused = try Rawmill.run(command)
        #expect(refused.status == 64 && refused.errors.contains("--format jpeg"), "\(refused.errors)")
        #expect(try Rawmill.run(command + ["--format", "jpeg"]).status == 0)
    }

    @Test("A settings file's JPEG options do not prevent photos in another format")
    func settingsOfJPEG() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let settings = workspace.folder.appending(path: "rawmill.yaml")
        try Data("subsampling: 420\nprogressive: true\nquality: 80\n".utf8).write(to: settings)
        let out = workspace.library.deletingLastPathComponent().appending(path: "out")
        let command = ["convert", workspace.raw.path, "--out", out.path, "--dry-run"]
        let environment = ["RAWMILL_SETTINGS": settings.path]
        let ended = try Rawmill.run(command + ["--format", "png"], environment: environment)
        #expect(ended.status == 0, "\(ended.errors)")
        try Data("subsampling: 420\nformat: png\n".utf8).write(to: settings)
        #expect(try Rawmill.run(command, environment: environment).status == 64)
    }

    @Test("A folder gets each format once, and a repeated run does nothing", .needs(.program("identify")))
    func folder() throws {
        let workspace = try Workspace()
        try workspace.makeSamples(1)
        let out = workspace.library.deletingLastPathComponent().appending(path: "out")
        let command = ["convert", workspace.raw.path, "--out", out.path] + Self.all
        #expect(try Rawmill.run(command).status == 0)
        let names = Self.extensions.map { "sample-0001.neutral.\($0)" }
        #expect(try FileManager.default.contentsOfDirectory(atPath: out.path).sorted() == names)
        let before = try workspace.fingerprint(of: out)
        #expect(try Rawmill.run(command).status == 0)
        #expect(try workspace.fingerprint(of: out) == before)
    }
}
