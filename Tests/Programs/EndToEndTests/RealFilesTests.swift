import ExternalTools
import Foundation
import Testing

/// Every real RAW of the shared folder has the result in its description, as judged by other programs.
@Suite(
    .needs(.realFiles), .needs(.program("exiftool")), .needs(.program("identify")), .needs(.program("convert")),
    .needs(.program("dcraw_emu")))
struct RealFilesTests {
    @Test(
        "Real RAWs become photos of the size and date that other programs read; unusable ones fail with a reason"
    )
    func converts() throws {
        let sizes = [
            "canon-eos-d30.crw": "2160x1440", "canon-kiss-x4-colorchecker.dng": "1734x1156",
            "kodak-dc50.kdc": "756x504",
        ]
        let unusable = ["gopro-hero8-unsupported.gpr", "truncated-header-only.nef"]
        let sources = (sizes.keys + unusable).map { RealFiles.url(of: $0).path }
        let workspace = try Workspace()
        let ended = try Rawmill.run(["convert"] + sources + ["--library", workspace.library.path, "--json"])
        #expect(ended.status == 3, "\(ended.errors)")
        var failed: [String: String] = [:]
        for event in try ended.events("failed") { failed[name(event)] = event["reason"] as? String }
        #expect(failed["gopro-hero8-unsupported.gpr"] == "unsupported-camera")
        #expect(["corrupt", "not-raw"].contains(failed["truncated-header-only.nef"] ?? ""))
        #expect(failed.count == 2)
        var photos: [String: String] = [:]
        for event in try ended.events("completed") { photos[name(event)] = event["photo"] as? String }
        #expect(Set(photos.keys) == Set(sizes.keys))
        for (file, photo) in photos { try judge(photo, of: RealFiles.url(of: file).path, size: sizes[file] ?? "") }
    }

    private func name(_ event: [String: Any]) -> String {
        (event["source"] as? String).map { URL(fileURLWithPath: $0).lastPathComponent } ?? ""
    }

    private func judge(_ photo: String, of raw: String, size: String) throws {
        #expect(try ExternalTool.run("identify", ["-format", "%wx%h", photo]) == size, "\(photo)")
        for tag in ["DateTimeOriginal", "Make", "ISO", "FNumber", "ExposureTime"] {
            let expected = try ExternalTool.run("exiftool", ["-s3", "-n", "-\(tag)", raw])
            let found = try ExternalTool.run("exiftool", ["-s3", "-n", "-EXIF:\(tag)", photo])
            #expect(agree(found, expected), "\(tag) of \(photo): \(found) for \(expected)")
        }
        #expect(try ExternalTool.run("exiftool", ["-s3", "-n", "-EXIF:Orientation", photo]) == "1\n")
        let complaints = try ExternalTool.run("exiftool", ["-validate", "-warning", "-error", "-a", "-s3", photo])
        #expect(complaints == "OK\n", "\(photo): \(complaints)")
    }

    /// Values that one of the two programs does not read from a container are not compared; numbers may be rounded.
    private func agree(_ found: String, _ expected: String) -> Bool {
        if found.isEmpty || expected.isEmpty || found == expected { return true }
        guard let a = Double(found.dropLast()), let b = Double(expected.dropLast()) else { return false }
        return abs(a - b) < 0.03 * b
    }

    @Test("A photo is not darker than the camera's preview, and has the colours of dcraw_emu")
    func brightness() throws {
        let workspace = try Workspace()
        let file = RealFiles.url(of: "canon-kiss-x4-colorchecker.dng").path
        #expect(try Rawmill.run("convert", file, "--library", workspace.library.path).status == 0)
        let photo = try #require(workspace.shownPhotos.first)
        let ours = try means(workspace.photos.appending(path: photo).path)
        let other = workspace.folder.appending(path: "other.tiff").path
        _ = try ExternalTool.run("dcraw_emu", ["-w", "-T", "-Z", other, file])
        let theirs = try means(other)
        #expect(ours.reduce(0, +) > 0.8 * theirs.reduce(0, +), "\(ours) for \(theirs)")
        for (a, b) in zip(ours, theirs) {
            let (share, expected) = (a / ours.reduce(0, +), b / theirs.reduce(0, +))
            #expect(abs(share - expected) < 0.05, "\(ours) for \(theirs)")
        }
    }

    /// Mean of red, green and blue, 0…1.
    private func means(_ path: String) throws -> [Double] {
        let format = "%[fx:mean.r] %[fx:mean.g] %[fx:mean.b]"
        let means = try ExternalTool.run("convert", [path, "-format", format, "info:"]).split(separator: " ")
            .compactMap { Double($0) }
        try #require(means.count == 3)
        return means
    }
}
