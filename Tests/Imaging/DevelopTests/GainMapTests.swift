import Foundation
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Gain maps") struct GainMapTests {
    /// Discards strips.
    private final class Sink: StripSink {
        func write(_ strip: PictureStrip) {}
    }

    private static func map(
        _ image: borrowing SensorImage, orientation: Orientation = .upright, longEdge: Int? = nil, threads: Int = 1
    ) throws -> (size: PixelSize, samples: [UInt8]) {
        var context = DevelopContext()
        let settings = DevelopSettings(
            brightness: .asExposed, longEdge: longEdge, makesGainMap: true, threads: threads)
        let planned = try context.plan(image, settings: settings, preview: 64)
        #expect(planned.hasGainMap)
        let developed = context.develop(image, planned, into: Sink())
        switch developed.gainMap {
        case .some(let map):
            var samples: [UInt8] = []
            for y in 0..<map.height { samples += UnsafeBufferPointer(start: map.row(y), count: map.width) }
            return (map.size, samples)
        case .none: return (PixelSize(width: 0, height: 0), [])
        }
    }

    @Test("The gain is scene light above diffuse white, without a kink, and bounded")
    func formula() {
        for white in [0.8, 1.5, 3, 6, 15] {
            let tone = ToneCurve(white: white)
            let curve = GainCurve(tone)
            let diffuse = tone.light(0.9)
            for step in 0...200 {
                let light = 16 * Double(step) / 200
                let expected = min(log2(pow(1 + pow(light / diffuse, 4), 0.25)), GainCurve.maxStops)
                #expect(abs(curve.stops(SIMD8(repeating: light))[0] - expected) < 1e-9)
            }
        }
    }

    @Test("From diffuse white to the sensor's limit, bright light is proportional to the scene's")
    func proportion() {
        for white in [2.0, 3, 4, 6] {
            let tone = ToneCurve(white: white)
            let curve = GainCurve(tone)
            let ratios = (0...100).map { step -> Double in
                let light = tone.light(0.9) * pow(white / tone.light(0.9), Double(step) / 100)
                let photo = tone(SIMD8(repeating: light))[0]
                return photo * exp2(curve.stops(SIMD8(repeating: light))[0]) / light
            }
            guard let smallest = ratios.min(), let largest = ratios.max() else { return }
            #expect(largest / smallest < 1.1, "white \(white): \(smallest) to \(largest)")
        }
    }

    @Test("More light never has a smaller sample; middle tones have none, and burnt areas the maximum")
    func samples() throws {
        var last: UInt8 = 0
        for step in 0...60 {
            let light = Double(step) / 60
            let image = Sensors.image(Sensors.facts(.linearRGB, PixelSize(width: 40, height: 24))) { _, _ in
                min(4000, 64 + Int((3936 * light).rounded()))
            }
            let (size, samples) = try Self.map(image)
            #expect(size == PixelSize(width: 40, height: 24))
            let sample = try #require(samples.first)
            #expect(samples.allSatisfy { $0 == sample } && sample >= last)
            if light < 0.1 { #expect(sample <= 2) }
            last = sample
        }
        #expect(last > 40)
    }

    @Test(
        "A map has its preview's orientation, and does not depend on the number of threads",
        arguments: Orientation.allCases)
    func orientation(orientation: Orientation) throws {
        var random = Sensors.Random(state: 9)
        for (width, height) in [(130, 70), (65, 33), (40, 50)] {
            let size = PixelSize(width: width, height: height)
            let plain = (0..<size.pixelCount).map { _ in Int.random(in: 64...4000, using: &random) }
            func image(_ orientation: Orientation) -> SensorImage {
                Sensors.image(Sensors.facts(.monochrome, size, orientation: orientation)) { x, y in
                    plain[min(y, height - 1) * width + min(x, width - 1)]
                }
            }
            let one = try Self.map(image(orientation))
            for threads in [2, 5] {
                let several = try Self.map(image(orientation), threads: threads)
                #expect(several.samples == one.samples && several.size == one.size)
            }
            let upright = try Self.map(image(.upright))
            #expect(one.size == (orientation.swapsAxes ? upright.size.transposed : upright.size))
            if width <= 64, height <= 64 {
                #expect(one.samples == Self.turned(upright.samples, upright.size, orientation))
            }
        }
    }

    /// The samples as displayed for an orientation (EXIF 2.32, 4.6.4).
    private static func turned(_ samples: [UInt8], _ size: PixelSize, _ orientation: Orientation) -> [UInt8] {
        let shown = orientation.swapsAxes ? size.transposed : size
        return (0..<shown.pixelCount).map { i in
            let (x, y) = (i % shown.width, i / shown.width)
            let (right, bottom) = (size.width - 1, size.height - 1)
            let (fromX, fromY) =
                switch orientation {
                case .upright: (x, y)
                case .mirroredHorizontally: (right - x, y)
                case .rotated180: (right - x, bottom - y)
                case .mirroredVertically: (x, bottom - y)
                case .transposed: (y, x)
                case .rotated90Clockwise: (y, bottom - x)
                case .transversed: (right - y, bottom - x)
                case .rotated90CounterClockwise: (right - y, x)
                }
            return samples[fromY * size.width + fromX]
        }
    }
}
