import Foundation
import Jobs
import ExternalTools
import Manifests
import PictureFormat
import Pixels
import Render
import Samples
import Testing

@Suite("The camera's preview") struct CameraPreviewTests {
    /// A DNG with an additional directory for a JPEG, as cameras store their thumbnail.
    static func embed(_ jpeg: [UInt8], in dng: [UInt8]) -> [UInt8] {
        func uint16(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func uint32(_ value: Int) -> [UInt8] { uint16(value & 65_535) + uint16(value >> 16) }
        func read(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(dng[offset + $1]) << (8 * $1) }
        }
        var bytes = dng + [UInt8](repeating: 0, count: dng.count % 2)
        let main = read(4, 4)
        let next = main + 2 + 12 * read(main, 2)
        let directory = bytes.count
        bytes +=
            uint16(4) + uint16(254) + uint16(4) + uint32(1) + uint32(1) + uint16(259) + uint16(3) + uint32(1)
            + uint32(6)
        bytes += uint16(513) + uint16(4) + uint32(1) + uint32(directory + 54)
        bytes += uint16(514) + uint16(4) + uint32(1) + uint32(jpeg.count) + uint32(0) + jpeg
        bytes.replaceSubrange(next..<(next + 4), with: uint32(directory))
        return bytes
    }

    /// The sample rendered with another look, as a camera might have done.
    static func preview(_ look: String, stops: Double = 0, seed: UInt64 = 3) throws -> [UInt8] {
        let fixture = try RenderFixture()
        let raw = try fixture.put(RenditionTests.dng(seed: seed), at: "a.dng")
        let recipe = try RenderFixture.recipe(look) { $0.exposureStops = stops }
        let rendition = try #require(try fixture.renditions(try fixture.job(raw, recipe: recipe)).first)
        return [UInt8](try Data(contentsOf: fixture.file(rendition.preview.path)))
    }

    private static func rendition(
        _ preview: [UInt8], _ look: String = "neutral", threads: Int = 1
    ) throws -> (degraded: String?, bytes: Data) {
        let fixture = try RenderFixture(threads: threads)
        let raw = try fixture.put(embed(preview, in: RenditionTests.dng()), at: "a.dng")
        let made = try #require(try fixture.renditions(try fixture.job(raw, recipe: RenderFixture.recipe(look))).first)
        return (made.degraded, try Data(contentsOf: fixture.file(made.preview.path)))
    }

    @Test(
        "An agreeing preview does not degrade the rendition, for any look",
        arguments: ["neutral", "mono", "invert", "sepia"])
    func agrees(look: String) throws {
        #expect(try Self.rendition(try Self.preview("neutral"), look).degraded == nil)
        #expect(try Self.rendition(try Self.preview("mono"), look).degraded == nil)
    }

    @Test(
        "A strongly disagreeing preview degrades the rendition, and the message has the figure",
        arguments: ["neutral", "invert"])
    func disagrees(look: String) throws {
        let degraded = try #require(try Self.rendition(try Self.preview("invert"), look).degraded)
        #expect(degraded.contains("disagrees with the camera's own preview"), "\(degraded)")
        #expect(degraded.contains(/\d\.\d/), "\(degraded)")
    }

    @Test("The preview decides the brightness, with any number of threads")
    func brightness() throws {
        let bright = try Self.preview("neutral", stops: 0.7)
        let dark = try Self.preview("neutral", stops: -0.7)
        let made = try Self.rendition(bright)
        #expect(made.bytes != (try Self.rendition(dark).bytes))
        for threads in [2, 3] { #expect(try Self.rendition(bright, threads: threads).bytes == made.bytes) }
    }

    @Test("A recipe with another brightness is not changed by the preview")
    func otherBrightness() throws {
        let previews = try [-0.7, 0.7].map { try Self.preview("neutral", stops: $0) }
        func bytes(_ preview: [UInt8], _ brightness: Recipe.Brightness) throws -> Data {
            let fixture = try RenderFixture()
            let raw = try fixture.put(Self.embed(preview, in: RenditionTests.dng()), at: "a.dng")
            let recipe = try RenderFixture.recipe("neutral") { $0.brightness = brightness }
            let made = try #require(try fixture.renditions(try fixture.job(raw, recipe: recipe)).first)
            return try Data(contentsOf: fixture.file(made.preview.path))
        }
        for brightness in [Recipe.Brightness.metered, .exposed] {
            #expect(try bytes(previews[0], brightness) == bytes(previews[1], brightness))
        }
        #expect(try bytes(previews[0], .camera) != bytes(previews[1], .camera))
        #expect(try bytes(previews[0], .metered) != bytes(previews[0], .exposed))
        // Without a preview the camera's brightness is the metered one.
        #expect(try bytes([], .camera) == bytes([], .metered))
    }

    @Test("A damaged preview has no effect, and the rendition reports the damage")
    func damaged() throws {
        let good = try Self.preview("neutral")
        let without = try Self.rendition([])
        let damaged = [
            Array(good.prefix(good.count / 3)), try DamagedJPEG.withDamagedScanHeader(good),
            [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 7, count: 900),
        ]
        for bytes in damaged {
            let made = try Self.rendition(bytes)
            #expect(made.degraded?.contains("preview is damaged") == true && made.bytes == without.bytes)
        }
    }

    @Test("Samples have previews as in cameras: a good one agrees, and a damaged one is reported")
    func samples() throws {
        func rendition(_ preview: SamplePreview) throws -> Rendition {
            let fixture = try RenderFixture()
            let bytes = Sample.dng(index: 3, size: PixelSize(width: 300, height: 200), preview: preview)
            return try #require(try fixture.renditions(try fixture.job(try fixture.put(bytes, at: "a.dng"))).first)
        }
        let (none, good) = (try rendition(.none), try rendition(.good))
        #expect(none.degraded == nil && good.degraded == nil)
        #expect(good.preview.digest != none.preview.digest)
        for preview in [SamplePreview.cutOff, .damagedHeader] {
            let made = try rendition(preview)
            #expect(made.degraded?.contains("preview is damaged") == true && made.preview.digest == none.preview.digest)
        }
    }

    @Test("Bytes that are not a picture do not count as a damaged preview")
    func otherBytes() throws {
        let made = try Self.rendition([UInt8](repeating: 7, count: 9000))
        #expect(try made.degraded == nil && made.bytes == Self.rendition([]).bytes)
    }

    @Test(
        "Renditions of real files are within a third of a stop of their preview", .needs(.realFiles),
        .needs(.program("simple_dcraw")), .needs(.program("convert")),
        arguments: ["canon-eos-d30.crw", "kodak-dc50.kdc"])
    func realFiles(name: String) throws {
        let fixture = try RenderFixture()
        let stamp = try fixture.put(RealFiles.contents(of: name), at: name)
        let made = try #require(try fixture.renditions(try fixture.job(stamp)).first)
        let copy = fixture.folder.appending(path: name).path
        try FileManager.default.copyItem(atPath: RealFiles.url(of: name).path, toPath: copy)
        _ = try output(of: "simple_dcraw", "-e", copy)
        let camera = try #require(
            ["jpg", "ppm"].map { "\(copy).thumb.\($0)" }.first { FileManager.default.fileExists(atPath: $0) })
        let stops = try Self.stops(from: camera, to: fixture.file(made.photo.path).path)
        #expect(abs(stops.luma) < 1.0 / 3 && abs(stops.light) < 1.0 / 3, "\(stops)")
    }

    /// How much brighter the second picture is, in stops: by its mean luma, and by its mean light.
    private static func stops(from: String, to: String) throws -> (luma: Double, light: Double) {
        func measure(_ path: String) throws -> (luma: Double, light: Double) {
            let luma = try output(of: "convert", path, "-format", "%[fx:.299*mean.r+.587*mean.g+.114*mean.b]", "info:")
            let light = try output(
                of: "convert", path, "-colorspace", "RGB", "-format", "%[fx:.2126*mean.r+.7152*mean.g+.0722*mean.b]",
                "info:")
            return (pow((try #require(Double(luma)) + 0.055) / 1.055, 2.4), try #require(Double(light)))
        }
        let (a, b) = (try measure(from), try measure(to))
        return (log2(b.luma / a.luma), log2(b.light / a.light))
    }
}
