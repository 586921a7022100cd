import Digest
import ExternalTools
import Foundation
import Jobs
import Manifests
import Metadata
import PictureFormat
import Testing

@Suite("JPEGs with a gain map") struct UltraHDRTests {
    private static func recipe(_ change: (inout Recipe) -> Void = { _ in }) throws -> Recipe {
        try RenderFixture.recipe {
            $0.hasGainMap = true
            change(&$0)
        }
    }

    /// A RAW with burnt areas and a unique time, which the photo states.
    private func render(
        _ path: String, in fixture: RenderFixture, _ recipe: Recipe, _ orientation: Orientation = .upright
    ) throws -> Rendition {
        _ = try fixture.put(RenditionTests.dng(orientation, exposed: 1), at: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: fixture.folder.appending(path: "archive/\(path)").path)
        return try #require(try fixture.renditions(fixture.job(fixture.stamp(path), recipe: recipe)).first)
    }

    private func bytes(_ rendition: Rendition, in fixture: RenderFixture) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: fixture.file(rendition.photo.path)))
    }

    /// Splits a photo from its map, by the file's index.
    private static func parts(_ file: [UInt8]) throws -> (photo: [UInt8], map: [UInt8]) {
        let count = try #require(MultiPictureIndex.mapBytes(in: file))
        return (Array(file.dropLast(count)), Array(file.suffix(count)))
    }

    private static func samples(_ jpeg: [UInt8]) throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (photo, samples) = (folder.appending(path: "photo.jpg"), folder.appending(path: "photo.ppm"))
        try Data(jpeg).write(to: photo)
        _ = try ExternalTool.run("djpeg", ["-outfile", samples.path, photo.path])
        return try Data(contentsOf: samples)
    }

    @Test(
        "The photo equals the one without a map, sample by sample", .needs(.program("djpeg")),
        arguments: [(false, Orientation.upright), (true, .upright), (false, .rotated90Clockwise)])
    func same(isProgressive: Bool, orientation: Orientation) throws {
        let fixture = try RenderFixture()
        let with = try render("a.dng", in: fixture, Self.recipe { $0.isProgressive = isProgressive }, orientation)
        let without = try render(
            "a.dng", in: fixture, RenderFixture.recipe { $0.isProgressive = isProgressive }, orientation)
        let file = try bytes(with, in: fixture)
        let samples = try Self.samples(bytes(without, in: fixture))
        // Old readers stop at the first EOI.
        #expect(try Self.samples(file) == samples)
        #expect(try Self.samples(Self.parts(file).photo) == samples)
        #expect(with.key != without.key && with.preview.digest == without.preview.digest)
    }

    @Test("exiftool finds both pictures and their metadata about each other", .needs(.program("exiftool")))
    func metadata() throws {
        let fixture = try RenderFixture()
        let rendition = try render("a.dng", in: fixture, Self.recipe())
        let (photo, map) = try Self.parts(bytes(rendition, in: fixture))
        #expect(photo.suffix(2) == [0xFF, 0xD9] && map.suffix(2) == [0xFF, 0xD9] && map.prefix(2) == [0xFF, 0xD8])
        let path = fixture.file(rendition.photo.path).path
        #expect(try Self.complaints("exiftool", ["-s3", "-validate", "-warning", "-a", path]).isEmpty)
        let tags = [
            "-NumberOfImages", "-MPImageType", "-MPImageLength", "-MPImageStart", "-DirectoryItemSemantic",
            "-DirectoryItemLength",
        ]
        // Older versions print list entries on separate lines, newer ones separate them by commas.
        let found = try ExternalTool.run("exiftool", ["-s3", "-n", "-a"] + tags + [path])
        #expect(
            found.split(whereSeparator: { "\n, ".contains($0) }) == [
                "2", "196608", "0", "\(photo.count)", "\(map.count)", "0", "\(photo.count)", "Primary", "GainMap",
                "\(map.count)",
            ], "\(found)")
        let file = fixture.folder.appending(path: "map.jpg")
        try Data(map).write(to: file)
        #expect(try Self.complaints("exiftool", ["-s3", "-validate", "-warning", "-a", file.path]).isEmpty)
        let meaning = try ExternalTool.run(
            "exiftool",
            ["-s3", "-Version", "-GainMapMin", "-GainMapMax", "-HDRCapacityMax", "-ColorComponents", file.path])
        #expect(meaning == "1.0\n0\n2.3\n2.3\n1\n")
    }

    /// exiftool's complaints, except for the ISO 21496-1 segment, which is newer than Debian's version.
    private static func complaints(_ program: String, _ arguments: [String]) throws -> [Substring] {
        try ExternalTool.run(program, arguments).split(separator: "\n").filter {
            $0 != "OK" && $0.wholeMatch(of: /\d+ Warnings?( \(.*\))?/) == nil && $0 != "[minor] Unknown APP2 segment"
        }
    }

    @Test("Threads change no byte, in any orientation")
    func threads() throws {
        for orientation in [Orientation.upright, .rotated180, .rotated90Clockwise] {
            let digests = try [1, 3].map { threads in
                let fixture = try RenderFixture(threads: threads)
                return try render("a.dng", in: fixture, Self.recipe(), orientation).photo.digest
            }
            #expect(digests[0] == digests[1])
        }
    }

    @Test("The photo of a renamed RAW has the bytes of one developed anew")
    func renamed() throws {
        let fixture = try RenderFixture(reuses: true)
        let first = try render("a.dng", in: fixture, Self.recipe())
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "archive/a.dng"))
        let renamed = try render("a much longer name than it had.dng", in: fixture, Self.recipe())
        #expect(renamed.reused == first.photo.digest && renamed.photo != first.photo)
        let other = try RenderFixture(reuses: true)
        let anew = try render("a much longer name than it had.dng", in: other, Self.recipe())
        #expect(anew.reused == nil && anew.photo.digest == renamed.photo.digest)
    }
}
