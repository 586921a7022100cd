import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Agreement with the camera's preview")
struct PreviewAgreementTests {
    private static let size = PixelSize(width: 384, height: 252)

    /// Coloured patches of many hues and lightnesses, without symmetry; as in nature, most are warm or cool.
    private static func scene(_ x: Int, _ y: Int, _ size: PixelSize) -> SIMD3<Double> {
        var random = Sensors.Random(state: UInt64((y * 6 / size.height) * 9 + x * 9 / size.width))
        let light = Double.random(in: 0.03...0.6, using: &random) * (1 - 0.5 * Double(x) / Double(size.width))
        let warmth = Double.random(in: -0.4...0.4, using: &random)
        let green = Double.random(in: 0.85...1.15, using: &random)
        return light * SIMD3(1 + warmth, green, 1 - warmth)
    }

    private static func image(
        _ orientation: Orientation = .upright, swapped: Bool = false, black: Double = 64, gain: Double = 1
    ) -> SensorImage {
        let pattern = Sensors.phases[0]
        return Sensors.image(Sensors.facts(.bayer(pattern), size, orientation: orientation)) { x, y in
            let light = scene(x, y, size) * gain
            let channel = Int(pattern[(y & 1) * 2 + (x & 1)].rawValue)
            let seen = swapped ? 2 - channel : channel
            return min(Int(black + 3936 * light[seen] / [2, 1, 1.5][channel]), 4000)
        }
    }

    /// The preview that a camera would store: the rendering itself, scaled down.
    private static func picture(
        _ image: borrowing SensorImage, _ change: (SIMD3<Double>) -> SIMD3<Double> = { $0 }
    ) throws -> SmallPicture {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, longEdge: 160, subsampling: .none)
        let bytes = Bytes(try context.develop(image, settings: settings).full)
        var samples: [UInt8] = []
        for i in bytes.luma.indices {
            let (y, u, v) = (Double(bytes.luma[i]), Double(bytes.cb[i]) - 128, Double(bytes.cr[i]) - 128)
            let rgb = change(SIMD3(y + 1.402 * v, y - 0.344136 * u - 0.714136 * v, y + 1.772 * u) / 255) * 255
            for c in 0..<3 { samples.append(UInt8(min(max(rgb[c].rounded(), 0), 255))) }
        }
        return try #require(SmallPicture(size: bytes.size, samples: samples))
    }

    private static func agreement(_ image: borrowing SensorImage, _ picture: SmallPicture) throws -> PreviewAgreement {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .matching(picture))
        return try #require(try context.develop(image, settings: settings).facts.agreement)
    }

    @Test("A picture agrees with itself, stored in the sensor's order or upright", arguments: Orientation.allCases)
    func itself(orientation: Orientation) throws {
        let image = Self.image(orientation)
        for picture in [try Self.picture(Self.image()), try Self.picture(image)] {
            let found = try Self.agreement(image, picture)
            #expect(!found.isImplausible && abs(found.stops) < 0.1, "\(found)")
            #expect(try #require(found.colour) < 2 && #require(found.structure) > 0.98, "\(found)")
        }
    }

    @Test(
        "The preview's brightness is matched, and the required stops are reported", arguments: [-1.0, -0.4, 0.5, 0.9])
    func brightness(stops: Double) throws {
        let picture = try Self.picture(Self.image(gain: DeterministicMath.exp2(stops)))
        let found = try Self.agreement(Self.image(), picture)
        #expect(abs(Double(found.stops) - stops) < 0.2 && abs(found.stopsLeft) < 0.05, "\(found)")
    }

    @Test("The preview's contrast is matched, softer or harder than usual", arguments: [0.75, 0.9, 1, 1.1])
    func contrast(factor: Double) throws {
        let picture = try Self.picture(Self.image()) { 0.4 + ($0 - 0.4) * factor }
        var context = DevelopContext()
        func spread(_ brightness: Brightness) throws -> Double {
            let settings = DevelopSettings(brightness: brightness, longEdge: 160, subsampling: .none)
            return Self.spread(Bytes(try context.develop(Self.image(), settings: settings).full).luma.map(Double.init))
        }
        let camera = Self.spread((0..<picture.samples.count / 3).map { Self.luma(picture.samples, 3 * $0) })
        #expect(abs(try spread(.matching(picture)) / camera - 1) < 0.05)
        #expect(abs(try spread(.asExposed) * factor / camera - 1) < 0.03)
    }

    @Test("A flat preview leaves the usual contrast")
    func flat() throws {
        var context = DevelopContext()
        func luma(_ brightness: Brightness) throws -> [UInt8] {
            let settings = DevelopSettings(brightness: brightness, longEdge: 160, subsampling: .none)
            return Bytes(try context.develop(Self.image(), settings: settings).full).luma
        }
        let mean = try luma(.asExposed).map(Double.init).reduce(0, +) / Double(luma(.asExposed).count)
        let grey = try Self.picture(Self.image()) { _ in SIMD3(repeating: mean / 255) }
        let (usual, found) = (try luma(.asExposed), try luma(.matching(grey)))
        let spreads = (Self.spread(usual.map(Double.init)), Self.spread(found.map(Double.init)))
        #expect(abs(spreads.1 / spreads.0 - 1) < 0.15, "\(spreads)")
    }

    @Test("The preview's colours are matched, more muted or more vivid than usual", arguments: [0.88, 1, 1.1, 1.25])
    func colourfulness(factor: Double) throws {
        let weights = SIMD3(0.299, 0.587, 0.114)
        let picture = try Self.picture(Self.image()) { colour in
            let grey = SIMD3(repeating: (colour * weights).sum())
            return grey + (colour - grey) * factor
        }
        var context = DevelopContext()
        func chroma(_ brightness: Brightness) throws -> Double {
            let settings = DevelopSettings(brightness: brightness, longEdge: 160, subsampling: .none)
            let bytes = Bytes(try context.develop(Self.image(), settings: settings).full)
            let lengths = zip(bytes.cb, bytes.cr).map { u, v -> Double in
                let (x, y) = (Double(u) - 128, Double(v) - 128)
                return x * x + y * y
            }
            return (lengths.reduce(0, +) / Double(lengths.count)).squareRoot()
        }
        let (usual, found) = (try chroma(.asExposed), try chroma(.matching(picture)))
        #expect(abs(found / (usual * factor) - 1) < 0.04, "\(found / usual)")
        let grey = try Self.picture(Self.image(), Self.styles[0])
        #expect(abs(try chroma(.matching(grey)) / usual - 1) < 0.03)
    }

    /// The balance after development with a correct preview, for an image with another balance.
    private static func balance(
        _ wrong: [Float], isEstimated: Bool, _ change: (SIMD3<Double>) -> SIMD3<Double> = { $0 }
    ) throws -> [Float] {
        let right = image()
        let picture = try picture(right, change)
        var facts = right.facts
        facts.whiteBalance = wrong
        facts.whiteBalanceIsEstimated = isEstimated
        let plane = Plane<UInt16>(width: right.plane.width, height: right.plane.height)
        for y in 0..<plane.height {
            for x in 0..<plane.width { plane.row(y)[x] = right.plane.row(y)[x] }
        }
        var context = DevelopContext()
        let found = try context.develop(
            SensorImage(plane: plane, facts: facts), settings: DevelopSettings(brightness: .matching(picture))
        ).facts.whiteBalance
        return found.map { $0 / found[1] }
    }

    @Test(
        "An estimated balance is replaced by that of the camera's preview",
        arguments: [[2, 1, 1.5], [1.5, 1, 2], [1.4, 1, 1.2], [2.8, 1, 1.1]] as [[Float]])
    func estimatedBalance(wrong: [Float]) throws {
        let found = try Self.balance(wrong, isEstimated: true)
        #expect(abs(found[0] / 2 - 1) < 0.04 && abs(found[2] / 1.5 - 1) < 0.04, "\(found)")
    }

    @Test("A recorded balance is kept, and so is an estimate with a colourless preview")
    func keptBalance() throws {
        let wrong: [Float] = [1.5, 1, 2]
        for found in [
            try Self.balance(wrong, isEstimated: false), try Self.balance(wrong, isEstimated: true, Self.styles[0]),
        ] { #expect(zip(found, wrong).allSatisfy { abs($0 - $1) < 0.001 }, "\(found)") }
    }

    private static func luma(_ samples: [UInt8], _ i: Int) -> Double {
        0.299 * Double(samples[i]) + 0.587 * Double(samples[i + 1]) + 0.114 * Double(samples[i + 2])
    }

    private static func spread(_ values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(values.count)
        return (values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +) / Double(values.count)).squareRoot()
    }

    @Test("Black bars are excluded, and a crop from the middle is compared with the middle")
    func shapes() throws {
        let whole = try Self.picture(Self.image())
        let (width, height) = (whole.size.width, whole.size.height)
        let bar = [UInt8](repeating: 0, count: width * 3 * 8)
        let barred = try #require(
            SmallPicture(size: PixelSize(width: width, height: height + 16), samples: bar + whole.samples + bar))
        let cropped = try #require(
            SmallPicture(
                size: PixelSize(width: width, height: height - 20),
                samples: Array(whole.samples[(width * 30)..<(whole.samples.count - width * 30)])))
        for picture in [barred, cropped] {
            let found = try Self.agreement(Self.image(), picture)
            #expect(!found.isImplausible && abs(found.stops) < 0.15, "\(found)")
            #expect(try #require(found.structure) > 0.95, "\(found)")
        }
    }

    static let styles: [@Sendable (SIMD3<Double>) -> SIMD3<Double>] = [
        { c in SIMD3(repeating: (c * SIMD3(0.3, 0.6, 0.1)).sum()) },
        { c in SIMD3(1, 0.85, 0.6) * (c * SIMD3(0.3, 0.6, 0.1)).sum() },
        { c in c + (c - (c * SIMD3(0.3, 0.6, 0.1)).sum()) * 0.4 },
        { c in c * SIMD3(1.12, 1, 0.85) },
        { c in c * c * (3 - 2 * c) },
    ]

    @Test("A camera's styles are plausible: black and white, sepia, vivid, warm, hard", arguments: 0..<5)
    func styles(index: Int) throws {
        let found = try Self.agreement(Self.image(), try Self.picture(Self.image(), Self.styles[index]))
        #expect(!found.isImplausible, "\(found)")
    }

    @Test("Misread samples are implausible: red for blue, another black level, another picture, a negative")
    func implausible() throws {
        let right = try Self.picture(Self.image())
        let negative = try Self.picture(Self.image()) { 1 - $0 }
        let found = [
            try Self.agreement(Self.image(swapped: true), right), try Self.agreement(Self.image(black: 900), right),
            try Self.agreement(Self.image(.rotated180), try Self.picture(Self.image(.mirroredVertically))),
            try Self.agreement(Self.image(), negative), try Self.agreement(Self.image(gain: 0.01), right),
        ]
        for agreement in found {
            #expect(agreement.isImplausible, "\(agreement)")
            #expect(agreement.complaint?.contains("usual") ?? false || agreement.complaint?.contains("stops") ?? false)
        }
    }

    @Test("Exposure and white balance of the settings do not change the agreement")
    func settings() throws {
        let picture = try Self.picture(Self.image())
        var context = DevelopContext()
        let settings = DevelopSettings(
            exposure: 2, brightness: .matching(picture), whiteBalance: .temperature(kelvin: 2500, tint: 40))
        let found = try context.develop(Self.image(), settings: settings).facts.agreement
        #expect(found == (try Self.agreement(Self.image(), picture)))
    }
}
