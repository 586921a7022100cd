import Foundation
import Jobs
import ExternalTools
import Manifests
import Pixels
import Render
import Testing

@Suite("The camera's own preview") struct CameraPreviewTests {
    /// A DNG with a further directory that holds a JPEG, as cameras store their thumbnail.
    private static func embed(_ jpeg: [UInt8], in dng: [UInt8]) -> [UInt8] {
        func word(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8 & 255)] }
        func long(_ value: Int) -> [UInt8] { word(value & 65_535) + word(value >> 16) }
        func read(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(dng[offset + $1]) << (8 * $1) }
        }
        var bytes = dng + [UInt8](repeating: 0, count: dng.count % 2)
        let main = read(4, 4)
        let next = main + 2 + 12 * read(main, 2)
        let place = bytes.count
        bytes += word(4) + word(254) + word(4) + long(1) + long(1) + word(259) + word(3) + long(1) + long(6)
        bytes += word(513) + word(4) + long(1) + long(place + 54)
        bytes += word(514) + word(4) + long(1) + long(jpeg.count) + long(0) + jpeg
        bytes.replaceSubrange(next..<(next + 4), with: long(place))
        return bytes
    }

    /// The sample rendered with another look: what a camera might have made of it.
    private static func preview(_ look: String, stops: Double = 0, seed: UInt64 = 3) throws -> [UInt8] {
        let bench = try Workbench()
        let raw = try bench.put(RenditionTests.dng(seed: seed), at: "a.dng")
        let recipe = try Workbench.recipe(look) { $0.exposureStops = stops }
        let rendition = try #require(try bench.renditions(try bench.job(raw, recipe: recipe)).first)
        return [UInt8](try Data(contentsOf: bench.file(rendition.preview.path)))
    }

    private static func rendition(
        _ preview: [UInt8], _ look: String = "neutral", threads: Int = 1
    ) throws -> (degraded: String?, bytes: Data) {
        let bench = try Workbench(threads: threads)
        let raw = try bench.put(embed(preview, in: RenditionTests.dng()), at: "a.dng")
        let made = try #require(try bench.renditions(try bench.job(raw, recipe: Workbench.recipe(look))).first)
        return (made.degraded, try Data(contentsOf: bench.file(made.preview.path)))
    }

    @Test("That agrees degrades nothing, whatever the look", arguments: ["neutral", "mono", "invert", "sepia"])
    func agrees(look: String) throws {
        #expect(try Self.rendition(try Self.preview("neutral"), look).degraded == nil)
        #expect(try Self.rendition(try Self.preview("mono"), look).degraded == nil)
    }

    @Test("That disagrees wildly makes the rendition degraded, with the figure", arguments: ["neutral", "invert"])
    func disagrees(look: String) throws {
        let degraded = try #require(try Self.rendition(try Self.preview("invert"), look).degraded)
        #expect(degraded.contains("disagrees with the camera's own preview"), "\(degraded)")
        #expect(degraded.contains(/\d\.\d/), "\(degraded)")
    }

    @Test("Decides the brightness, and any number of threads makes the same bytes of it")
    func brightness() throws {
        let bright = try Self.preview("neutral", stops: 0.7)
        let dark = try Self.preview("neutral", stops: -0.7)
        let made = try Self.rendition(bright)
        #expect(made.bytes != (try Self.rendition(dark).bytes))
        for threads in [2, 3] { #expect(try Self.rendition(bright, threads: threads).bytes == made.bytes) }
    }

    @Test("Cannot harm: a damaged one is as good as none")
    func damaged() throws {
        let good = try Self.preview("neutral")
        let without = try Self.rendition([])
        for bytes in [Array(good.prefix(good.count / 3)), [0xFF, 0xD8, 0xFF], [UInt8](repeating: 7, count: 9000)] {
            let made = try Self.rendition(bytes)
            #expect(made.degraded == nil && made.bytes == without.bytes)
        }
    }

    @Test(
        "Of the real files: the rendition is within a third of a stop of it",
        arguments: ["canon-eos-d30.crw", "kodak-dc50.kdc"])
    func realFiles(name: String) throws {
        guard let raws = try RealFiles.folder() else { return }
        let bench = try Workbench()
        let stamp = try bench.put([UInt8](Data(contentsOf: raws.appending(path: name))), at: name)
        let made = try #require(try bench.renditions(try bench.job(stamp)).first)
        let copy = bench.folder.appending(path: name).path
        try FileManager.default.copyItem(atPath: raws.appending(path: name).path, toPath: copy)
        _ = try output(of: "simple_dcraw", "-e", copy)
        let camera = try #require(
            ["jpg", "ppm"].map { "\(copy).thumb.\($0)" }.first { FileManager.default.fileExists(atPath: $0) })
        let stops = try Self.stops(from: camera, to: bench.file(made.photo.path).path)
        print("\(name): \(stops.luma) stops by mean luma, \(stops.light) by mean light")
        #expect(abs(stops.luma) < 1.0 / 3 && abs(stops.light) < 1.0 / 3, "\(stops)")
    }

    /// How much brighter the second picture is: by the light of its mean luma, and by its mean light.
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
