import Digest
import ExternalTools
import Foundation
import Jobs
import Manifests
import Metadata
import PictureFormat
import Testing

@Suite("TIFF and PNG photos") struct SixteenBitTests {
    private static let formats = PhotoFormat.allCases.filter(\.has16Bits)

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

    private func photo(_ rendition: Rendition, in fixture: RenderFixture) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: fixture.file(rendition.photo.path)))
    }

    @Test(
        "A photo is in its format's place, states its metadata, and no program complains", .needs(.program("exiftool")),
        .needs(.program("identify")), arguments: formats)
    func whole(format: PhotoFormat) throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(), at: "a.dng")
        let rendition = try #require(
            try fixture.renditions(fixture.job(raw, recipe: Self.recipe(format))).first)
        #expect("\(rendition.photo.path)".hasSuffix(".\(format.fileExtension)"))
        #expect("\(rendition.preview.path)".hasSuffix(".jpg"))
        let bytes = try photo(rendition, in: fixture)
        #expect(rendition.photo.digest == SHA256Value(of: bytes))
        #expect(rendition.photo.sizeBytes == UInt64(bytes.count))
        let path = fixture.file(rendition.photo.path).path
        #expect(try output(of: "exiftool", "-s3", "-validate", "-warning", "-a", path) == "OK")
        let size = try #require(rendition.photo.size)
        #expect(try output(of: "identify", "-format", "%wx%h %z", path) == "\(size.width)x\(size.height) 16")
        let identity = try XMPToolkit().identity(from: PhotoBytes(bytes))
        #expect(identity.key == rendition.key.description && identity.width == size.width)
        #expect(identity.facts == rendition.facts && identity.exposureSeconds == 1.0 / 125)
        #expect(identity.adjustment.data.contains("format=\(format.rawValue)"))
        #expect(PhotoMetadata.pixels(of: PhotoBytes(bytes), byteCount: UInt64(bytes.count)) != nil)
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
        "The photo of a renamed RAW is not developed, and has the bytes that developing it would give",
        arguments: formats)
    func renamed(format: PhotoFormat) throws {
        func render(_ path: String, in fixture: RenderFixture) throws -> Rendition {
            try put(RenditionTests.dng(), at: path, in: fixture)
            return try #require(
                try fixture.renditions(fixture.job(fixture.stamp(path), recipe: Self.recipe(format))).first)
        }
        let fixture = try RenderFixture(reuses: true)
        let first = try render("a.dng", in: fixture)
        // Unchanged: the library's photo stays.
        #expect(try render("a.dng", in: fixture).photo == first.photo)
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "archive/a.dng"))
        let again = try render("a much longer name.dng", in: fixture)
        #expect(again.reused == first.photo.digest)
        #expect(!again.timings.contains { $0.stage == "develop" })
        let developed = try render("a much longer name.dng", in: RenderFixture())
        #expect(developed.reused == nil && developed.photo == again.photo)
        // A truncated photo is developed again.
        let bytes = try photo(again, in: fixture)
        try Data(bytes.dropLast(7)).write(to: fixture.file(again.photo.path))
        let anew = try render("a much longer name.dng", in: fixture)
        #expect(anew.reused == nil && anew.photo == again.photo)
        #expect(try photo(anew, in: fixture) == bytes)
    }
}
