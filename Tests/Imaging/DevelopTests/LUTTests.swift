import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Looks that are LUTs")
struct LUTTests {
    /// A function of colours as an effect, with or without a colour key.
    private struct Effect: RowStage {
        let position = StagePosition.display
        var displaySpace: ColourSpace? = .sRGB
        let colourKey: String?
        let function: @Sendable (SIMD3<Float>) -> SIMD3<Float>

        func process(_ row: PixelRow) {
            for x in 0..<row.count {
                let result = function(SIMD3(row.red[x], row.green[x], row.blue[x]))
                (row.red[x], row.green[x], row.blue[x]) = (result.x, result.y, result.z)
            }
        }
    }

    /// Contrast, warmth and less blue, as in films.
    @Sendable private static func film(_ v: SIMD3<Float>) -> SIMD3<Float> {
        let luma = 0.3 * v.x + 0.59 * v.y + 0.11 * v.z
        let w = (SIMD3(repeating: luma) + (v - luma) * SIMD3(1.2, 1.1, 0.8) + SIMD3(0.02, 0, 0.04))
            .clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
        return w * w * (SIMD3(repeating: 3) - 2 * w) * 0.6 + w * 0.4
    }

    private func picture() -> SensorImage {
        var random = Sensors.Random(state: 5)
        return Sensors.image(Sensors.facts(.linearRGB, PixelSize(width: 1031, height: 65))) { x, y in
            // Every brightness, noise, and hues that change along rows.
            let tint = [1, 0.4 + Double(x % 300) / 300, 0.2 + Double(y) / 65][x % 3]
            return 64 + Int(Double(x + Int.random(in: 0..<40, using: &random)) * tint * 1.25)
        }
    }

    private func develop(
        _ effect: some RowStage, _ subsampling: ChromaSubsampling, _ space: ColourSpace = .sRGB
    ) throws -> [UInt8] {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, colourSpace: space, subsampling: subsampling)
        let bytes = Bytes(try context.develop(picture(), settings: settings, look: effect).full)
        return bytes.luma + bytes.cb + bytes.cr
    }

    /// Steps of luma and chroma between the picture by a table and by the function.
    private func steps(
        _ space: ColourSpace = .sRGB, _ subsampling: ChromaSubsampling = .none, in display: ColourSpace? = .sRGB,
        _ function: @escaping @Sendable (SIMD3<Float>) -> SIMD3<Float>
    ) throws -> [Int] {
        let declared = Effect(displaySpace: display, colourKey: "effect", function: function)
        let plain = Effect(displaySpace: display, colourKey: nil, function: function)
        return try zip(develop(declared, subsampling, space), develop(plain, subsampling, space)).map {
            abs(Int($0) - Int($1))
        }
    }

    private func mean(_ steps: [Int]) -> Double { Double(steps.reduce(0, +)) / Double(steps.count) }

    @Test(
        "A look's table differs from the look by a sixth of a step on average", arguments: ColourSpace.allCases)
    func film(space: ColourSpace) throws {
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let found = try steps(space, subsampling, in: space, Self.film)
            #expect(mean(found) < 0.17 && found.max() ?? 0 <= 7, "\(mean(found)), \(found.max() ?? 0)")
        }
    }

    @Test("A look with discontinuous colours does not become a table")
    func jumps() throws {
        for found in [
            try steps { v in (v * 4).rounded(.down) / 4 },
            try steps { v in SIMD3(v.y > 0.5 ? 1 : 0, v.x, v.z) },
        ] { #expect(found.allSatisfy { $0 == 0 }) }
    }

    @Test("An effect without changes gives the neutral picture, and results beyond 0…1 are clipped")
    func identity() throws {
        let neutral = try develop(IdentityStage(), .quarter)
        let same = try develop(Effect(colourKey: "same") { $0 }, .quarter)
        #expect(neutral == same)
        let steep = try steps { v in v * 3 - 1 }
        #expect(mean(steep) < 0.5 && steep.max() ?? 0 <= 32, "\(mean(steep)), \(steep.max() ?? 0)")
        let white = try develop(Effect(colourKey: "white") { v in v + 1.5 }, .none)
        #expect(white.prefix(white.count / 3).allSatisfy { $0 == 255 })
        let nothing = try develop(Effect(colourKey: "nothing") { _ in SIMD3(repeating: .nan) }, .none)
        #expect(nothing.prefix(nothing.count / 3).allSatisfy { $0 == 0 })
    }

    @Test("Grey stays grey through a LUT without colours")
    func grey() throws {
        let mono = Effect(colourKey: "mono") { v in SIMD3(repeating: (0.3 * v.x + 0.59 * v.y + 0.11 * v.z) * 0.9) }
        let bytes = try develop(mono, .none)
        #expect(bytes.dropFirst(bytes.count / 3).allSatisfy { $0 == 128 })
    }

    @Test("Odd sizes in every orientation equal the generic path", arguments: Orientation.allCases)
    func orientations(orientation: Orientation) throws {
        var context = DevelopContext()
        for size in [PixelSize(width: 1, height: 1), .init(width: 37, height: 23), .init(width: 1025, height: 4)] {
            let image = Sensors.image(Sensors.facts(.linearRGB, size, orientation: orientation)) { x, y in
                64 + (x * 37 + y * 101) % 3900
            }
            for subsampling in [ChromaSubsampling.quarter, .none] {
                let settings = DevelopSettings(brightness: .asExposed, subsampling: subsampling)
                let looks = ["film", nil].map { Effect(colourKey: $0, function: Self.film) }
                let fast = Bytes(try context.develop(image, settings: settings, look: looks[0]).full)
                let plain = Bytes(try context.develop(image, settings: settings, look: looks[1]).full)
                for (a, b) in [(fast.luma, plain.luma), (fast.cb, plain.cb), (fast.cr, plain.cr)] {
                    #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 6 })
                }
            }
        }
    }
}
