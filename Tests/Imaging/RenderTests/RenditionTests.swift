import Digest
import ExternalTools
import Foundation
import Jobs
import Manifests
import Metadata
import PictureFormat
import Pixels
import Render
import Samples
import Storage
import Testing

@Suite("Renditions") struct RenditionTests {
    static let size = PixelSize(width: 300, height: 201)

    static func dng(_ orientation: Orientation = .upright, seed: UInt64 = 3, exposed: Double = 1) -> [UInt8] {
        let camera = SampleCamera()
        let layout = SensorLayout.bayer([.red, .green, .green, .blue])
        var picture = DNGPicture(
            plane: camera.expose(SampleScene(seed: seed), size: size, layout: layout), layout: layout)
        picture.black = .init(rows: 2, columns: 2, values: camera.black.map { Rational(Int64($0), 1) })
        picture.white = camera.white
        var writer = DNGWriter(camera: camera)
        writer.orientation = orientation
        return writer.file(picture)
    }

    @Test(
        "A rendition is upright for every camera orientation", .needs(.program("exiftool")),
        arguments: Orientation.allCases)
    func upright(orientation: Orientation) throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(orientation), at: "a.dng")
        let photo = fixture.file(try #require(try fixture.renditions(try fixture.job(raw)).first).photo.path).path
        let size = orientation.swapsAxes ? Self.size.transposed : Self.size
        #expect(
            try output(of: "exiftool", "-s3", "-n", "-ImageWidth", "-ImageHeight", "-Orientation", photo)
                == "\(size.width)\n\(size.height)\n1")
    }

    @Test(
        "A rendition has the same bytes in a new and a reused context, with any number of threads, and in another library"
    )
    func deterministic() throws {
        let bytes = Self.dng()
        var digests: Set<SHA256Value> = []
        for threads in [1, 2, 3, 7] {
            let fixture = try RenderFixture(threads: threads)
            let raw = try fixture.put(bytes, at: "a.dng")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: fixture.folder.appending(path: "archive/a.dng").path)
            let again = try fixture.stamp(raw.file.path.description)
            for _ in 0..<2 {
                let rendition = try #require(try fixture.renditions(try fixture.job(again)).first)
                digests.insert(rendition.photo.digest)
                digests.insert(SHA256Value(of: Array(rendition.preview.digest.bytes) + [0]))
            }
        }
        #expect(digests.count == 2)
    }

    @Test("A photo's XMP contains all that the library needs")
    func identity() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(), at: "2019/trip/a.dng")
        let job = try fixture.job(raw, recipe: try RenderFixture.recipe("sepia") { $0.lookStrength = 0.5 })
        let rendition = try #require(try fixture.renditions(job).first)
        let prefix = try fixture.library.prefix(of: rendition.photo.path.bytes, byteCount: JPEGMetadata.prefixByteCount)
        let identity = try XMPToolkit().identity(from: PhotoBytes(prefix))
        #expect(identity.key == rendition.key.description)
        #expect(identity.facts == rendition.facts && identity.exposureSeconds == 1.0 / 125)
        #expect(identity.adjustment.data == job.recipe.canonicalText)
        #expect(identity.original.path == Array("2019/trip/a.dng".utf8))
        #expect(rendition.photo.path == LibraryLayout.photo(rendition.key))
        #expect(rendition.photo.digest == SHA256Value(of: try Data(contentsOf: fixture.file(rendition.photo.path))))
        #expect(rendition.asset == SHA256Value(of: Self.dng()))
    }

    @Test("A photo has rating and keywords from the sidecar, and the RAW's dates", .needs(.program("exiftool")))
    func sidecar() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(), at: "a.dng")
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"
             xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>fjord</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let sidecar = try fixture.put(Array(xmp.utf8), at: "a.xmp")
        let rendition = try #require(try fixture.renditions(try fixture.job(raw, sidecar: sidecar)).first)
        let photo = fixture.file(rendition.photo.path).path
        #expect(
            try output(of: "exiftool", "-s3", "-Rating", "-Subject", "-DateTimeOriginal", "-OffsetTimeOriginal", photo)
                == "4\nfjord\n2024:05:01 10:00:00\n+02:00")
        #expect(rendition.captured == "2024:05:01 10:00:00")
    }

    @Test("A rendition names the camera's JPEG only if it is of the same shot")
    func companion() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(), at: "a.dng")
        // The rendition itself has the RAW's capture date, as the camera's JPEG would.
        let first = try #require(try fixture.renditions(try fixture.job(raw)).first)
        let twin = try fixture.put([UInt8](Data(contentsOf: fixture.file(first.photo.path))), at: "a.jpg")
        let mono = try RenderFixture.recipe("mono")
        let paired = try #require(try fixture.renditions(try fixture.job(raw, companion: twin, recipe: mono)).first)
        #expect(paired.companion == twin)
        #expect(paired.companionDigest == first.photo.digest)
        let preview = try fixture.put([UInt8](Data(contentsOf: fixture.file(first.preview.path))), at: "a.JPG")
        let other = try #require(
            try fixture.renditions(try fixture.job(raw, companion: preview, recipe: try RenderFixture.recipe("invert")))
                .first)
        #expect(other.companion == nil)
    }

    @Test("A RAW, a sidecar and a camera's JPEG that were only touched give the same bytes")
    func touched() throws {
        func photo(touchedAt seconds: Int) throws -> (bytes: Data, rendition: Rendition, raw: FileStamp) {
            let fixture = try RenderFixture()
            let first = try #require(
                try fixture.renditions(try fixture.job(try fixture.put(Self.dng(), at: "a.dng"))).first)
            _ = try fixture.put([UInt8](Data(contentsOf: fixture.file(first.photo.path))), at: "a.jpg")
            _ = try fixture.put(Array(#"<x:xmpmeta xmlns:x="adobe:ns:meta/"/>"#.utf8), at: "a.xmp")
            for name in ["a.dng", "a.jpg", "a.xmp"] {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: Double(seconds))],
                    ofItemAtPath: fixture.folder.appending(path: "archive/\(name)").path)
            }
            let raw = try fixture.stamp("a.dng")
            let job = try fixture.job(
                raw, sidecar: fixture.stamp("a.xmp"), companion: fixture.stamp("a.jpg"),
                recipe: try RenderFixture.recipe("mono"))
            let rendition = try #require(try fixture.renditions(job).first)
            return (try Data(contentsOf: fixture.file(rendition.photo.path)), rendition, raw)
        }
        let (one, other) = (try photo(touchedAt: 1_000_000_000), try photo(touchedAt: 1_600_000_000))
        #expect(one.bytes == other.bytes)
        #expect(!String(decoding: one.bytes, as: UTF8.self).contains("ModifiedNanoseconds"))
        // The library still receives the files' new times.
        #expect(one.rendition.original == one.raw && other.rendition.original == other.raw)
        #expect(one.rendition.companion?.modifiedNanoseconds == 1_000_000_000_000_000_000)
    }

    @Test("A copy of a RAW shares the first one's rendition; a moved RAW gets one with the new path")
    func duplicates() throws {
        let fixture = try RenderFixture()
        let first = try fixture.put(Self.dng(), at: "here/a.dng")
        let copy = try fixture.put(Self.dng(), at: "there/b.dng")
        let one = try #require(try fixture.renditions(try fixture.job(first)).first)
        let two = try #require(try fixture.renditions(try fixture.job(copy)).first)
        #expect(one.photo == two.photo)
        #expect(two.original.file == first.file && two.original.sizeBytes == first.sizeBytes)
        try fixture.archive.remove(first.file.path.bytes)
        let three = try #require(try fixture.renditions(try fixture.job(copy)).first)
        #expect(three.original == copy)
        #expect(three.photo.path == one.photo.path)
        #expect(three.photo.digest == SHA256Value(of: try Data(contentsOf: fixture.file(one.photo.path))))
    }

    @Test(
        "The RAW is unchanged, and the library has a verified copy of it if requested",
        arguments: OriginalsPolicy.allCases)
    func originals(policy: OriginalsPolicy) throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(), at: "a.dng")
        let rendition = try #require(try fixture.renditions(try fixture.job(raw, originals: policy)).first)
        #expect((rendition.originalCopy == nil) == (policy == .reference))
        if let copy = rendition.originalCopy {
            #expect(copy.digest == rendition.asset)
            #expect(try Data(contentsOf: fixture.file(copy.path)) == Data(Self.dng()))
        }
        #expect(try fixture.stamp("a.dng") == raw)
    }

    @Test("A rendition is scaled down to the long edge, and EXIF has its size", .needs(.program("exiftool")))
    func longEdge() throws {
        let fixture = try RenderFixture()
        let raw = try fixture.put(Self.dng(.rotated90Clockwise), at: "a.dng")
        let recipe = try RenderFixture.recipe { $0.longEdgePixels = 100 }
        let rendition = try #require(try fixture.renditions(try fixture.job(raw, recipe: recipe)).first)
        #expect(rendition.photo.size == PixelSize(width: 67, height: 100))
        let photo = fixture.file(rendition.photo.path).path
        #expect(try output(of: "exiftool", "-s3", "-ExifImageWidth", "-ExifImageHeight", photo) == "67\n100")
        #expect(try output(of: "exiftool", "-validate", "-warning", "-a", "-s3", photo) == "OK")
    }
}
