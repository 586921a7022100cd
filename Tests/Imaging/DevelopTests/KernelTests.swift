import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop
@testable import DevelopKernels

/// `DevelopKernels` runs unchecked. These tests cover the checks in its initializers.
@Suite("Inputs that kernels refuse")
struct KernelTests {
    private static let size = PixelSize(width: 16, height: 12)

    private static func samples(_ crop: PixelRect, layout: SensorLayout = .monochrome) -> SensorSamples? {
        var facts = Sensors.facts(layout, size)
        let image = Sensors.image(facts) { _, _ in 100 }
        facts.crop = crop
        let plane = Plane<UInt16>(width: image.plane.width, height: image.plane.height)
        return SensorSamples(SensorImage(plane: plane, facts: facts))
    }

    @Test("Samples whose picture is empty or exceeds the plane")
    func samples() {
        func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
            PixelRect(x: x, y: y, size: PixelSize(width: width, height: height))
        }
        #expect(Self.samples(rect(0, 0, 16, 12)) != nil)
        #expect(Self.samples(rect(15, 11, 1, 1)) != nil)
        let wrong = [
            rect(1, 0, 16, 12), rect(0, 1, 16, 12), rect(-1, 0, 4, 4), rect(0, -1, 4, 4), rect(0, 0, 0, 4),
            rect(0, 0, 17, 1), rect(.max, 0, 1, 1), rect(0, .max, 1, 1), rect(0, 0, .max, 1), rect(0, 0, 1, .max),
        ]
        for crop in wrong { #expect(Self.samples(crop) == nil, "\(crop)") }
    }

    @Test("Alignments of another mosaic, and of colours that are too far apart")
    func alignments() throws {
        let phase = try #require(BayerPhase(Sensors.phases[0]))
        let levels = try #require(SampleLevels(facts: Sensors.facts(.monochrome, Self.size), multipliers: [1, 1, 1]))
        func alignment(_ width: Int, by rows: Int32) -> ColourAlignment? {
            let area = PixelRect(x: 0, y: 0, size: PixelSize(width: width, height: Self.size.height))
            func field(_ channel: Int) -> WarpField? {
                let size = ColourLattice(area, phase, channel: channel).size
                let count = WarpField.rows(height: size.height) * WarpField.columns(width: size.width)
                return WarpField(
                    size: size, source: size, planes: 1, across: .init(repeating: 0, count: count),
                    down: .init(repeating: rows * 65_536, count: count))
            }
            return field(0).flatMap { red in field(2).flatMap { ColourAlignment(red: red, blue: $0) } }
        }
        let samples = try #require(Self.samples(PixelRect(x: 0, y: 0, size: Self.size)))
        let highlights = HighlightReconstruction(clip: levels.clip)
        for (width, fits) in [(16, true), (20, false)] {
            let found: ColourAlignment = try #require(alignment(width, by: 4))
            let rows = BayerRows(
                samples, phase: phase, levels: levels, highlights: highlights, alignment: found)
            #expect((rows != nil) == fits)
        }
        #expect(alignment(16, by: 5) == nil)
    }

    @Test("Mosaics smaller than their pattern")
    func mosaics() throws {
        let facts = Sensors.facts(.monochrome, Self.size)
        let levels = try #require(SampleLevels(facts: facts, multipliers: [1, 1, 1]))
        let bayer = try #require(BayerPhase(Sensors.phases[0]))
        let highlights = HighlightReconstruction(clip: levels.clip)
        for (width, height) in [(1, 4), (4, 1)] {
            let samples = try #require(
                Self.samples(PixelRect(x: 0, y: 0, size: PixelSize(width: width, height: height))))
            #expect(BayerRows(samples, phase: bayer, levels: levels, highlights: highlights) == nil)
        }
        for (width, height) in [(5, 8), (8, 5)] {
            let samples = try #require(
                Self.samples(PixelRect(x: 0, y: 0, size: PixelSize(width: width, height: height))))
            #expect(XTransRows(samples, phase: XTransPhase(x: 0, y: 0), levels: levels) == nil)
        }
    }

    @Test("Hues without one value per cell, or outside of their range")
    func hues() {
        let hue = SIMD4<Float>(1, 0.5, 0.1, 1)
        #expect(HighlightHues(across: 2, down: 1, cells: [hue, hue]) != nil)
        #expect(HighlightHues(across: 2, down: 1, cells: [hue]) == nil)
        #expect(HighlightHues(across: 0, down: 0, cells: []) == nil)
        #expect(HighlightHues(across: 1, down: 1, cells: [SIMD4(1, 1.1, 0.5, 1)]) == nil)
        #expect(HighlightHues(across: 1, down: 1, cells: [SIMD4(1, 0.01, 0.5, 1)]) == nil)
        #expect(HighlightHues(across: 1, down: 1, cells: [SIMD4(1, .nan, 0.5, 1)]) == nil)
    }

    @Test("Levels that are not three, or not above black")
    func levels() {
        var facts = Sensors.facts(.monochrome, Self.size)
        #expect(SampleLevels(facts: facts, multipliers: [1, 1]) == nil)
        #expect(SampleLevels(facts: facts, multipliers: [1, 1, 1], saturation: []) == nil)
        facts.white = [64, 4000, 4000]
        #expect(SampleLevels(facts: facts, multipliers: [1, 1, 1]) == nil)
    }

    @Test("Resampling taps outside of the samples")
    func axes() {
        func axis(taps: Int, starts: [Int32], weights: Int) -> ResampleAxis? {
            ResampleAxis(
                input: 10, output: 3, lead: 0, boxShift: 0, taps: taps, starts: starts,
                weights: [Float](repeating: 0, count: weights))
        }
        #expect(axis(taps: 4, starts: [0, 3, 6], weights: 12) != nil)
        #expect(axis(taps: 4, starts: [0, 3, 7], weights: 12) == nil)
        #expect(axis(taps: 4, starts: [-1, 3, 6], weights: 12) == nil)
        #expect(axis(taps: 4, starts: [3, 0, 6], weights: 12) == nil)
        #expect(axis(taps: 4, starts: [0, 3], weights: 12) == nil)
        #expect(axis(taps: 4, starts: [0, 3, 6], weights: 11) == nil)
        #expect(axis(taps: 0, starts: [0, 3, 6], weights: 0) == nil)
        #expect(axis(taps: 11, starts: [0, 0, 0], weights: 33) == nil)
    }

    @Test("Coordinates outside of their LUT")
    func coordinates() throws {
        let count = LightLUTIndex.count
        #expect(CoordinateCurve([UInt16](repeating: 9, count: count), cubics: nil, end: 10) != nil)
        #expect(CoordinateCurve([UInt16](repeating: 10, count: count), cubics: nil, end: 10) == nil)
        #expect(CoordinateCurve([UInt16](repeating: 9, count: count - 1), cubics: nil, end: 10) == nil)
        #expect(CoordinateCurve.Cubics(tables: [UInt16](repeating: 0, count: 127), last: 0) == nil)
        #expect(CoordinateCurve.Cubics(tables: [UInt16](repeating: 0, count: 128), last: 32 * 256) == nil)
        let points = [Float](repeating: 0.5, count: 24)
        let lut = try #require(TetrahedralLUT(points, threads: 1))
        let level = [UInt16](repeating: 0, count: count)
        let inside = try #require(CoordinateCurve(level, cubics: nil, end: lut.coordinateEnd))
        let outside = try #require(CoordinateCurve(level, cubics: nil, end: lut.coordinateEnd + 1))
        #expect(LUTRendering(coordinates: inside, lut: lut) != nil)
        #expect(LUTRendering(coordinates: outside, lut: lut) == nil)
        #expect(TetrahedralLUT([Float](repeating: 0.5, count: 23), threads: 1) == nil)
        #expect(TetrahedralLUT([Float](repeating: 1.01, count: 24), threads: 1) == nil)
        #expect(TetrahedralLUT([Float](repeating: .nan, count: 24), threads: 1) == nil)
    }

    @Test("Pictures and plans of another size")
    func pictures() throws {
        let tables = DevelopTableCache()
        let rendering = RenderingPlan(
            look: IdentityStage(), output: .sRGB, white: 1, contrast: .usual, profile: nil, tables: tables
        ).rendering(.eight, threads: 1)
        let settings = DevelopSettings()
        let own = PicturePlan(crop: Self.size, target: Self.size, orientation: .rotated90Clockwise, lead: .none)
        let other = PicturePlan(crop: Self.size, target: Self.size, orientation: .upright, lead: .none)
        let image = own.makeImage(settings)
        let fitting = YCbCrSink(image, transform: own.transform, rendering: rendering)
        let turned = YCbCrSink(image, transform: other.transform, rendering: rendering)
        #expect(fitting != nil && turned == nil)

        let samples = try #require(Self.samples(PixelRect(x: 0, y: 0, size: Self.size)))
        let levels = try #require(
            SampleLevels(facts: Sensors.facts(.monochrome, Self.size), multipliers: [1, 1, 1]))
        func pipeline(_ picture: PicturePlan, rows: Range<Int>) throws -> BandPipeline? {
            let image = picture.makeImage(settings)
            guard let sink = YCbCrSink(image, transform: picture.transform, rendering: rendering) else {
                throw DevelopError(.settings, "a picture does not fit its own plan")
            }
            return BandPipeline(
                samples, mosaic: .none, levels: levels, highlights: HighlightReconstruction(clip: levels.clip),
                matrix: ColourMatrix(.identity), noise: nil, detail: nil, warp: nil, lead: .none,
                full: .init(picture.geometry, rows: rows, sharpening: nil, sink: sink), preview: nil)
        }
        #expect(try pipeline(own, rows: 0..<12) != nil)
        #expect(try pipeline(own, rows: 0..<13) == nil)
        #expect(try pipeline(own, rows: -1..<12) == nil)
        let small = PixelSize(width: 8, height: 6)
        #expect(
            try pipeline(PicturePlan(crop: Self.size, target: small, orientation: .upright, lead: .none), rows: 0..<6)
                != nil)
        #expect(
            try pipeline(PicturePlan(crop: small, target: small, orientation: .upright, lead: .none), rows: 0..<6)
                == nil)
    }
}
