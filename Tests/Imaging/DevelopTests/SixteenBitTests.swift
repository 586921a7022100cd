import ColourScience
import PictureFormat
import Pixels
import SeededRandom
import Synchronization
import Testing

@testable import Develop

@Suite("Pictures with 16 bits per channel")
struct SixteenBitTests {
    /// Copies the strips that it receives, each of which must come once.
    private final class Collector: StripSink {
        private let strips = Mutex<[Int: [UInt16]]>([:])

        func write(_ strip: PictureStrip) {
            guard case .rgb(let strip) = strip else {
                Issue.record("strip of another depth")
                return
            }
            let samples = (0..<strip.height).flatMap {
                UnsafeBufferPointer(start: strip.samples + $0 * strip.strideSamples, count: 3 * strip.picture.width)
            }
            strips.withLock {
                #expect($0[strip.index] == nil)
                $0[strip.index] = samples
            }
        }

        var samples: [UInt16] { strips.withLock { $0.sorted { $0.key < $1.key }.flatMap(\.value) } }
    }

    private func develop(
        _ image: borrowing SensorImage, _ settings: DevelopSettings, look: any RowStage = IdentityStage(),
        preview: Int? = nil
    ) throws -> (samples: [UInt16], size: PixelSize, preview: [UInt8]?) {
        var context = DevelopContext()
        return try develop(image, settings, look: look, preview: preview, &context)
    }

    private func develop(
        _ image: borrowing SensorImage, _ settings: DevelopSettings, look: any RowStage = IdentityStage(),
        preview: Int? = nil, _ context: inout DevelopContext
    ) throws -> (samples: [UInt16], size: PixelSize, preview: [UInt8]?) {
        var settings = settings
        settings.depth = .sixteen
        let planned = try context.plan(image, settings: settings, look: look, preview: preview)
        let collector = Collector()
        let developed = context.develop(image, planned, into: collector)
        #expect(developed.size == planned.size && developed.facts == planned.facts)
        let small: [UInt8]?
        switch developed.preview {
        case .some(let picture): small = Bytes(picture).luma
        case .none: small = nil
        }
        return (collector.samples, developed.size, small)
    }

    private func noise(_ size: PixelSize, _ orientation: Orientation = .upright) -> SensorImage {
        var random = Sensors.Random(state: 5)
        return Sensors.image(Sensors.facts(.bayer(Sensors.phases[1]), size, orientation: orientation)) { _, _ in
            Int.random(in: 64...4000, using: &random)
        }
    }

    @Test(
        "Strips form the same picture for any number of threads, in every orientation",
        arguments: Orientation.allCases)
    func threads(orientation: Orientation) throws {
        var context = DevelopContext()
        for (width, height) in [(70, 203), (131, 64), (129, 65), (64, 127), (3, 2), (640, 333)] {
            let image = noise(PixelSize(width: width, height: height), orientation)
            for edge in [nil, 97] {
                var settings = DevelopSettings(longEdge: edge, sharpening: 0.5)
                let (one, size, _) = try develop(image, settings, &context)
                #expect(one.count == 3 * size.pixelCount)
                for threads in [2, 3, 7] {
                    settings.threads = threads
                    #expect(try develop(image, settings, &context).samples == one)
                }
            }
        }
    }

    @Test("Every orientation has the pixels of the upright picture", arguments: Orientation.allCases)
    func orientations(orientation: Orientation) throws {
        // Linear RGB needs no neighbours, so that only the rotation differs.
        let size = PixelSize(width: 131, height: 75)
        func picture(_ orientation: Orientation) throws -> (samples: [UInt16], size: PixelSize, preview: [UInt8]?) {
            let image = Sensors.image(Sensors.facts(.linearRGB, size, orientation: orientation)) { x, y in
                64 + (x * 37 + y * 101) % 3900
            }
            return try develop(image, DevelopSettings(brightness: .asExposed))
        }
        let (plain, turned) = (try picture(.upright), try picture(orientation))
        #expect(turned.size == (orientation.swapsAxes ? size.transposed : size))
        for y in 0..<size.height {
            for x in 0..<size.width {
                let (u, v) = orientation.place(x, y, size)
                let (from, to) = (3 * (y * size.width + x), 3 * (v * turned.size.width + u))
                guard plain.samples[from..<from + 3].elementsEqual(turned.samples[to..<to + 3]) else {
                    Issue.record("\(orientation): pixel \(x), \(y)")
                    return
                }
            }
        }
    }

    @Test("Colours equal those of the 8-bit picture", arguments: ColourSpace.allCases)
    func sameColours(space: ColourSpace) throws {
        var context = DevelopContext()
        let size = PixelSize(width: 700, height: 90)
        let image = Sensors.image(Sensors.facts(.linearRGB, size)) { x, y in
            64 + Int(Double(x) * [1, 0.4 + Double(x % 300) / 300, 0.2 + Double(y) / 90][x % 3] * 1.9)
        }
        let settings = DevelopSettings(brightness: .asExposed, colourSpace: space, subsampling: .none)
        let eight = Bytes(try context.develop(image, settings: settings).full)
        let deep = try develop(image, settings, preview: 350)
        #expect(deep.preview?.count == 350 * 45)
        var (sum, most) = (0.0, 0.0)
        for i in 0..<size.pixelCount {
            let pixel = (0..<3).map { Double(deep.samples[3 * i + $0]) / 257 }
            let luma = 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2]
            let (cb, cr) = (128 + (pixel[2] - luma) / 1.772, 128 + (pixel[0] - luma) / 1.402)
            let worst = max(
                abs(luma - Double(eight.luma[i])), abs(cb - Double(eight.cb[i])), abs(cr - Double(eight.cr[i])))
            sum += worst
            most = max(most, worst)
        }
        // Rounding to 8 bits takes a quarter; the rest is the error of the coarser table for the most saturated
        // colours, which fill this picture.
        let mean = sum / Double(size.pixelCount)
        #expect(mean < 0.9 && most < 25, "\(mean), \(most)")
    }

    @Test("Grey has the levels of the tone curve within a few of 65,536 steps, and its channels differ by at most one")
    func grey() throws {
        // As many levels as the sensor has, each less than an 8-bit step.
        let size = PixelSize(width: 4000, height: 8)
        let image = Sensors.image(Sensors.facts(.monochrome, size)) { x, _ in 64 + x }
        let (samples, _, _) = try develop(image, DevelopSettings(brightness: .asExposed))
        let row = (0..<size.width).map { samples[3 * (2 * size.width + $0)] }
        for x in 0..<size.width {
            let at = 3 * (2 * size.width + x)
            let pixel = samples[at..<at + 3].map { Int($0) }
            #expect((pixel.max() ?? 0) - (pixel.min() ?? 0) <= 1)
        }
        #expect(zip(row, row.dropFirst()).allSatisfy { $0 <= $1 })
        // 8 bits have 256 levels. Levels of a slope, unlike shifted bytes, do not repeat.
        #expect(Set(row).count > 3000, "\(Set(row).count)")
        let context = try PlannedGrey(image)
        for x in stride(from: 0, to: size.width, by: 7) {
            let expected = context.level(sample: x)
            #expect(abs(Double(row[x]) - expected) < 6, "sample \(x): \(row[x]), \(expected)")
        }
    }

    /// Rendering of grey in double precision, from the plan's numbers.
    private struct PlannedGrey {
        let gain: Double
        let curve: ToneCurve

        init(_ image: borrowing SensorImage) throws {
            let white = Double(image.facts.white.min() ?? 0)
            let exposure = 1.1
            gain = exposure / (white - 64)
            curve = ToneTableKey(.sRGB, white: exposure, contrast: .usual).curve
        }

        func level(sample: Int) -> Double {
            let light = curve(SIMD8(repeating: Double(sample) * gain))
            return 65_535 * TransferFunction.encode(light[0], .sRGB)
        }
    }

    @Test(
        "The 16-bit table is closer to its source than the 8-bit table",
        arguments: ColourSpace.allCases)
    func table(space: ColourSpace) {
        let (usual, fine) = (
            RenderingTable(IdentityStage(), output: space), RenderingTable(IdentityStage(), output: space, size: 65)
        )
        #expect(fine.meanError < 0.75 * usual.meanError, "\(fine.meanError), \(usual.meanError)")
    }

    /// A function of colours as an effect, with or without a colour key.
    private struct Effect: RowStage {
        let position = StagePosition.display
        let displaySpace: ColourSpace? = .sRGB
        let colourKey: String?

        func process(_ row: PixelRow) {
            for x in 0..<row.count {
                let luma = 0.3 * row.red[x] + 0.59 * row.green[x] + 0.11 * row.blue[x]
                row.red[x] = luma + (row.red[x] - luma) * 1.2
                row.blue[x] = luma * 0.9 + row.blue[x] * 0.1
            }
        }
    }

    @Test("A look as a table differs from the look by less than an 8-bit step")
    func looks() throws {
        let image = noise(PixelSize(width: 300, height: 80))
        let settings = DevelopSettings(brightness: .asExposed)
        let table = try develop(image, settings, look: Effect(colourKey: "effect")).samples
        let exact = try develop(image, settings, look: Effect(colourKey: nil)).samples
        let steps = zip(table, exact).map { abs(Int($0) - Int($1)) }
        #expect(Double(steps.reduce(0, +)) / Double(steps.count) < 26, "a tenth of a step of 8 bits")
        #expect(table != exact)
    }
}

extension Orientation {
    /// Place of a sensor pixel in the upright picture (TIFF Revision 6.0, tag Orientation).
    fileprivate func place(_ x: Int, _ y: Int, _ size: PixelSize) -> (Int, Int) {
        let (right, bottom) = (size.width - 1 - x, size.height - 1 - y)
        switch self {
        case .upright: return (x, y)
        case .mirroredHorizontally: return (right, y)
        case .rotated180: return (right, bottom)
        case .mirroredVertically: return (x, bottom)
        case .transposed: return (y, x)
        case .rotated90Clockwise: return (bottom, x)
        case .transversed: return (bottom, right)
        case .rotated90CounterClockwise: return (y, right)
        }
    }
}
