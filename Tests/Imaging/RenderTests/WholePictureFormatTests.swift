import Digest
import DirectRender
import ExternalTools
import Foundation
import Jobs
import Manifests
import Metadata
import PictureFormat
import Render
import Testing

/// AVIF and JPEG XL, whose encoders need the whole picture.
@Suite("AVIF and JPEG XL photos in a library") struct WholePictureFormatTests {
    private static let formats: [PhotoFormat] = [.avif, .jxl]

    private static func recipe(_ format: PhotoFormat) throws -> Recipe {
        try RenderFixture.recipe { $0.format = format }
    }

    /// A RAW with a unique time, which the photo states.
    private func put(_ bytes: [UInt8], at path: String, in fixture: RenderFixture) throws {
        _ = try fixture.put(bytes, at: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
            ofItemAtPath: fixture.folder.appending(path: "archive/\(path)").path)
    }

    private func render(_ path: String, _ format: PhotoFormat, in fixture: RenderFixture) throws -> Rendition {
        try put(RenditionTests.dng(), at: path, in: fixture)
        return try #require(try fixture.renditions(fixture.job(fixture.stamp(path), recipe: Self.recipe(format))).first)
    }

    private func photo(_ rendition: Rendition, in fixture: RenderFixture) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: fixture.file(rendition.photo.path)))
    }

    @Test(
        "A photo is in its format's place, states its metadata and its encoder", .needs(.program("exiftool")),
        arguments: formats)
    func whole(format: PhotoFormat) throws {
        let fixture = try RenderFixture()
        let rendition = try render("a.dng", format, in: fixture)
        #expect(
            "\(rendition.photo.path)".hasSuffix(".\(format.fileExtension)")
                && "\(rendition.preview.path)".hasSuffix(".jpg"))
        let bytes = try photo(rendition, in: fixture)
        #expect(rendition.photo.digest == SHA256Value(of: bytes))
        #expect(rendition.photo.sizeBytes == UInt64(bytes.count))
        let path = fixture.file(rendition.photo.path).path
        #expect(try output(of: "exiftool", "-s3", "-validate", "-warning", "-a", path) == "OK")
        for tag in ["-Software", "-XMP:CreatorTool"] {
            #expect(
                try output(of: "exiftool", "-s3", tag, path).contains(
                    "engine \(Engine.version), lib\(format.rawValue) "))
        }
        let size = try #require(rendition.photo.size)
        #expect(PhotoMetadata.size(of: PhotoBytes(bytes)) == size)
        let identity = try XMPToolkit().identity(from: PhotoBytes(bytes))
        #expect(identity.key == rendition.key.description && identity.width == size.width)
        #expect(identity.facts == rendition.facts && identity.exposureSeconds == 1.0 / 125)
        #expect(identity.adjustment.data.contains("format=\(format.rawValue)"))
    }

    @Test("The number of threads changes no byte, in any orientation", arguments: formats)
    func threads(format: PhotoFormat) throws {
        for orientation in [Orientation.upright, .mirroredHorizontally, .rotated180, .rotated90Clockwise] {
            let digests = try [1, 3].map { threads in
                let fixture = try RenderFixture(threads: threads)
                try put(RenditionTests.dng(orientation), at: "a.dng", in: fixture)
                let job = try fixture.job(fixture.stamp("a.dng"), recipe: Self.recipe(format))
                return try #require(try fixture.renditions(job).first).photo.digest
            }
            #expect(digests[0] == digests[1])
        }
    }

    @Test(
        "An existing photo is reused, and developed again if its metadata would change or it is truncated",
        arguments: formats)
    func known(format: PhotoFormat) throws {
        let fixture = try RenderFixture(reuses: true)
        let first = try render("a.dng", format, in: fixture)
        let same = try render("a.dng", format, in: fixture)
        #expect(same.photo == first.photo && same.reused == first.photo.digest)
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "archive/a.dng"))
        let renamed = try render("another name.dng", format, in: fixture)
        #expect(renamed.reused == nil && renamed.photo != first.photo)
        let bytes = try photo(renamed, in: fixture)
        try Data(bytes.dropLast(7)).write(to: fixture.file(renamed.photo.path))
        let anew = try render("another name.dng", format, in: fixture)
        #expect(anew.reused == nil && anew.photo == renamed.photo)
        #expect(try photo(anew, in: fixture) == bytes)
    }

    @Test(
        "A photo beyond its encoder's memory is refused before decoding, with a remedy; a smaller one is not",
        arguments: formats)
    func memory(format: PhotoFormat) throws {
        let fixture = try RenderFixture(memoryBytes: 85_000_000)
        try put(RenditionTests.dng(), at: "a.dng", in: fixture)
        func result(_ change: (inout Recipe) -> Void) throws -> RenderReply {
            fixture.context.render(
                try fixture.job(fixture.stamp("a.dng"), recipe: RenderFixture.recipe(change: change)))
        }
        let refused = try result { $0.format = format }
        guard case .failed(let failure) = refused.outcome else { throw Failure(.internalError, "it was rendered") }
        #expect(failure.reason == .tooLarge && failure.message.contains("--long-edge"), "\(failure)")
        #expect(!refused.timings.contains { $0.stage == "decode" }, "\(refused.timings)")
        // The same RAW, decoded for another photo.
        guard case .completed = try result({ _ in }).outcome else { throw Failure(.internalError, "no JPEG was made") }
        let later = try result { $0.format = format }
        guard case .failed(let again) = later.outcome else { throw Failure(.internalError, "it was rendered") }
        #expect(again.reason == .tooLarge, "\(again)")
        let small = try result {
            $0.format = format
            $0.longEdgePixels = 64
        }
        guard case .completed = small.outcome else { throw Failure(.internalError, "\(small.outcome)") }
    }
}
