import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("A preview")
struct PreviewTests {
    /// Light of a picture with patches, edges and detail that is still resolved at a fifth of the size, 0…1. For finer
    /// detail a filter and the mean of a block differ.
    private static func light(_ x: Int, _ y: Int, _ channel: Int) -> Double {
        let (u, v) = (Double(x) / 900, Double(y) / 600)
        var random = Sensors.Random(state: UInt64(x / 75 * 100 + y / 60 * 3 + channel))
        let patch = Double.random(in: 0.02...0.7, using: &random)
        let stripes = (x / 11 + y / 13) % 2 == 0 ? 1.0 : 0.55
        return patch * stripes * (0.4 + 0.5 * u) * (0.6 + 0.4 * v)
    }

    private static func image() -> SensorImage {
        let size = PixelSize(width: 900, height: 600)
        let phase = Sensors.phases[0]
        return Sensors.image(Sensors.facts(.bayer(phase), size)) { x, y in
            let channel = Int(phase[(y & 1) * 2 + (x & 1)].rawValue)
            return Int(64 + 3936 * light(x, y, channel) / [2, 1, 1.5][channel])
        }
    }

    private static func linear(_ bytes: Bytes) -> [SIMD3<Double>] {
        (0..<bytes.luma.count).map { i in
            let (y, u, v) = (Double(bytes.luma[i]), Double(bytes.cb[i]) - 128, Double(bytes.cr[i]) - 128)
            let rgb = SIMD3(y + 1.402 * v, y - 0.344136 * u - 0.714136 * v, y + 1.772 * u) / 255
            return SIMD3(decode(rgb.x), decode(rgb.y), decode(rgb.z))
        }
    }

    private static func decode(_ value: Double) -> Double { TransferFunction.decode(min(max(value, 0), 1), .sRGB) }

    /// The mean of each block of the full size.
    private static func reduce(_ full: [SIMD3<Double>], _ size: PixelSize, by factor: Int) -> [SIMD3<Double>] {
        let (width, height) = (size.width / factor, size.height / factor)
        return (0..<(width * height)).map { i in
            var sum = SIMD3<Double>.zero
            for y in 0..<factor {
                for x in 0..<factor { sum += full[(i / width * factor + y) * size.width + i % width * factor + x] }
            }
            return sum / Double(factor * factor)
        }
    }

    private static func lab(_ rgb: SIMD3<Double>) -> SIMD3<Double> {
        let xyz = RGBPrimaries.rec709.toXYZ * [rgb.x, rgb.y, rgb.z]
        let f = zip(xyz, Chromaticity.d65.xyz).map { value, white in
            let t = value / white
            return t > 216.0 / 24389 ? DeterministicMath.pow(t, 1.0 / 3) : (24389.0 / 27 * t + 16) / 116
        }
        return SIMD3(116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2]))
    }

    @Test(
        "Equals the full size scaled down in linear light, within 2 ΔE on average, 11 for 99 of 100 pixels, 33 for any",
        arguments: [2, 3, 5])
    func equalsReduced(factor: Int) throws {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, subsampling: .none)
        let developed = try context.develop(Self.image(), settings: settings, preview: 900 / factor)
        let full = Bytes(developed.full)
        let small: Bytes
        switch developed.preview {
        case .some(let preview): small = Bytes(preview)
        case .none: throw DevelopError(.settings, "no preview")
        }
        let expected = Self.reduce(Self.linear(full), full.size, by: factor)
        let distances = zip(Self.linear(small), expected).map { a, b -> Double in
            let d = Self.lab(a) - Self.lab(b)
            return (d * d).sum().squareRoot()
        }.sorted()
        let mean = distances.reduce(0, +) / Double(distances.count)
        let high = distances[distances.count * 99 / 100]
        let max = distances.last ?? 100
        #expect(mean < 2 && high < 11 && max < 33, "mean \(mean), 99 of 100 \(high), max \(max) ΔE")
    }

    @Test("Equals the picture rendered with its long edge")
    func longEdge() throws {
        var context = DevelopContext()
        let asExposed = DevelopSettings(brightness: .asExposed, longEdge: 300)
        let direct = Bytes(try context.develop(Self.image(), settings: asExposed).full)
        let developed = try context.develop(
            Self.image(), settings: DevelopSettings(brightness: .asExposed), preview: 300)
        switch developed.preview {
        case .some(let preview): #expect(Bytes(preview) == direct)
        case .none: Issue.record("no preview")
        }
    }
}
