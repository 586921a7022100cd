import Digest
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

@Suite("A rendition") struct RenditionTests {
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

    @Test("is upright whatever way the camera was held", arguments: Orientation.allCases)
    func upright(orientation: Orientation) throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(orientation), at: "a.dng")
        let photo = bench.file(try #require(try bench.renditions(try bench.job(raw)).first).photo.path).path
        let size = orientation.swapsAxes ? Self.size.transposed : Self.size
        #expect(
            try output(of: "exiftool", "-s3", "-n", "-ImageWidth", "-ImageHeight", "-Orientation", photo)
                == "\(size.width)\n\(size.height)\n1")
    }

    @Test("has the same bytes cold and warm, with any number of threads, and in another library")
    func deterministic() throws {
        let bytes = Self.dng()
        var digests: Set<SHA256Value> = []
        for threads in [1, 2, 3, 7] {
            let bench = try Workbench(threads: threads)
            let raw = try bench.put(bytes, at: "a.dng")
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: bench.folder.appending(path: "archive/a.dng").path)
            let again = try bench.stamp(raw.file.path.description)
            for _ in 0..<2 {
                let rendition = try #require(try bench.renditions(try bench.job(again)).first)
                digests.insert(rendition.photo.digest)
                digests.insert(SHA256Value(of: Array(rendition.preview.digest.bytes) + [0]))
            }
        }
        #expect(digests.count == 2)
    }

    @Test("says in its own XMP everything the library needs")
    func identity() throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(), at: "2019/trip/a.dng")
        let job = try bench.job(raw, recipe: try Workbench.recipe("sepia") { $0.lookStrength = 0.5 })
        let rendition = try #require(try bench.renditions(job).first)
        let prefix = try bench.library.prefix(of: rendition.photo.path.bytes, byteCount: JPEGMetadata.prefixByteCount)
        let identity = try XMPToolkit().identity(fromJPEG: prefix)
        #expect(identity.key == rendition.key.description)
        #expect(identity.adjustment.data == job.recipe.canonicalText)
        #expect(identity.original.path == Array("2019/trip/a.dng".utf8))
        #expect(rendition.photo.path == LibraryLayout.photo(rendition.key))
        #expect(rendition.photo.digest == SHA256Value(of: try Data(contentsOf: bench.file(rendition.photo.path))))
        #expect(rendition.asset == SHA256Value(of: Self.dng()))
    }

    @Test("takes rating and keywords from the sidecar, and keeps the RAW's dates")
    func sidecar() throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(), at: "a.dng")
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:Rating="4"
             xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:subject><rdf:Bag><rdf:li>fjord</rdf:li></rdf:Bag></dc:subject>
            </rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let sidecar = try bench.put(Array(xmp.utf8), at: "a.xmp")
        let rendition = try #require(try bench.renditions(try bench.job(raw, sidecar: sidecar)).first)
        let photo = bench.file(rendition.photo.path).path
        #expect(
            try output(of: "exiftool", "-s3", "-Rating", "-Subject", "-DateTimeOriginal", "-OffsetTimeOriginal", photo)
                == "4\nfjord\n2024:05:01 10:00:00\n+02:00")
        #expect(rendition.captured == "2024:05:01 10:00:00")
    }

    @Test("names the camera's own JPEG only where it is of the same shot")
    func companion() throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(), at: "a.dng")
        // The rendition itself carries the RAW's capture date, as the camera's JPEG would.
        let first = try #require(try bench.renditions(try bench.job(raw)).first)
        let twin = try bench.put([UInt8](Data(contentsOf: bench.file(first.photo.path))), at: "a.jpg")
        let mono = try Workbench.recipe("mono")
        let paired = try #require(try bench.renditions(try bench.job(raw, companion: twin, recipe: mono)).first)
        #expect(paired.companion == twin)
        #expect(paired.companionDigest == first.photo.digest)
        let preview = try bench.put([UInt8](Data(contentsOf: bench.file(first.preview.path))), at: "a.JPG")
        let other = try #require(
            try bench.renditions(try bench.job(raw, companion: preview, recipe: try Workbench.recipe("invert"))).first)
        #expect(other.companion == nil)
    }

    @Test("of a RAW's copy elsewhere is the first one's; of a moved RAW it says the new place")
    func duplicates() throws {
        let bench = try Workbench()
        let first = try bench.put(Self.dng(), at: "here/a.dng")
        let copy = try bench.put(Self.dng(), at: "there/b.dng")
        let one = try #require(try bench.renditions(try bench.job(first)).first)
        let two = try #require(try bench.renditions(try bench.job(copy)).first)
        #expect(one.photo == two.photo)
        #expect(two.original == first)
        try bench.archive.remove(first.file.path.bytes)
        let three = try #require(try bench.renditions(try bench.job(copy)).first)
        #expect(three.original == copy)
        #expect(three.photo.path == one.photo.path)
        #expect(three.photo.digest == SHA256Value(of: try Data(contentsOf: bench.file(one.photo.path))))
    }

    @Test("leaves the RAW alone, or puts a verified copy into the library", arguments: OriginalsPolicy.allCases)
    func originals(policy: OriginalsPolicy) throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(), at: "a.dng")
        let rendition = try #require(try bench.renditions(try bench.job(raw, originals: policy)).first)
        #expect((rendition.originalCopy == nil) == (policy == .reference))
        if let copy = rendition.originalCopy {
            #expect(copy.digest == rendition.asset)
            #expect(try Data(contentsOf: bench.file(copy.path)) == Data(Self.dng()))
        }
        #expect(try bench.stamp("a.dng") == raw)
    }

    @Test("is made small by the long edge, and its size is what EXIF says")
    func longEdge() throws {
        let bench = try Workbench()
        let raw = try bench.put(Self.dng(.rotated90Clockwise), at: "a.dng")
        let recipe = try Workbench.recipe { $0.longEdgePixels = 100 }
        let rendition = try #require(try bench.renditions(try bench.job(raw, recipe: recipe)).first)
        #expect(rendition.photo.size == PixelSize(width: 67, height: 100))
        let photo = bench.file(rendition.photo.path).path
        #expect(try output(of: "exiftool", "-s3", "-ExifImageWidth", "-ExifImageHeight", photo) == "67\n100")
        #expect(try output(of: "exiftool", "-validate", "-warning", "-a", "-s3", photo) == "OK")
    }
}
