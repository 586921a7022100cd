import Develop
import PictureFormat
import Pixels
import Testing

@Suite("Looks that are LUTs")
struct LUTTests {
    /// A LUT as an effect, declared as a table or not.
    private struct Effect: RowStage {
        let position = StagePosition.display
        let displaySpace: ColourSpace? = .sRGB
        let own: WeightedLUT
        let isDeclared: Bool
        var lut: WeightedLUT? { isDeclared ? own : nil }

        /// Tetrahedral interpolation as the textbook has it: along the axes in falling order of the fractions.
        func process(_ row: PixelRow) {
            let size = own.lut.size
            for x in 0..<row.count {
                let colour = SIMD3(row.red[x], row.green[x], row.blue[x])
                var corner = [0, 0, 0]
                var fractions = [Float](repeating: 0, count: 3)
                for axis in 0..<3 {
                    let value = own.lut.coordinate?(axis, colour[axis]) ?? colour[axis]
                    let position = min(max(value, 0), 1) * Float(size - 1)
                    corner[axis] = min(Int(position), size - 2)
                    fractions[axis] = position - Float(corner[axis])
                }
                func point() -> SIMD3<Float> {
                    let at = 3 * ((corner[2] * size + corner[1]) * size + corner[0])
                    return SIMD3(own.lut.points[at], own.lut.points[at + 1], own.lut.points[at + 2])
                }
                var value = point()
                var last = value
                for axis in [0, 1, 2].sorted(by: { fractions[$0] > fractions[$1] }) {
                    corner[axis] += 1
                    value += (point() - last) * fractions[axis]
                    last = point()
                }
                let mixed = colour + (value - colour) * own.weight
                (row.red[x], row.green[x], row.blue[x]) = (mixed.x, mixed.y, mixed.z)
            }
        }
    }

    private static func table(
        _ size: Int, coordinate: (@Sendable (Int, Float) -> Float)? = nil,
        _ value: (SIMD3<Float>) -> SIMD3<Float>
    ) -> LUT3D {
        var points: [Float] = []
        for i in 0..<(size * size * size) {
            let place = SIMD3(Float(i % size), Float(i / size % size), Float(i / size / size)) / Float(size - 1)
            let v = value(place).clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
            points += [v.x, v.y, v.z]
        }
        return LUT3D(size: size, points: points, coordinate: coordinate)
    }

    /// Contrast, warmth and less blue, as films have it.
    private static func film(_ v: SIMD3<Float>) -> SIMD3<Float> {
        let luma = 0.3 * v.x + 0.59 * v.y + 0.11 * v.z
        let w = SIMD3(repeating: luma) + (v - luma) * SIMD3(1.2, 1.1, 0.8) + SIMD3(0.02, 0, 0.04)
        return w * w * (SIMD3(repeating: 3) - 2 * w) * 0.6 + w * 0.4
    }

    private func picture() -> SensorImage {
        var random = Sensors.Random(state: 5)
        return Sensors.image(Sensors.facts(.linearRGB, PixelSize(width: 1031, height: 65))) { x, y in
            // Every brightness, noise, and hues that change along the rows.
            let tint = [1, 0.4 + Double(x % 300) / 300, 0.2 + Double(y) / 65][x % 3]
            return 64 + Int(Double(x + Int.random(in: 0..<40, using: &random)) * tint * 1.25)
        }
    }

    private func develop(_ effect: some RowStage, _ subsampling: ChromaSubsampling) throws -> [UInt8] {
        var context = DevelopContext()
        let settings = DevelopSettings(brightness: .asExposed, subsampling: subsampling)
        let bytes = Bytes(try context.develop(picture(), settings: settings, look: effect).full)
        return bytes.luma + bytes.cb + bytes.cr
    }

    /// One 8-bit step of luma or chroma is a ΔE of at most about one; a mean of 0.01 steps stays below 0.02.
    private func judge(_ table: WeightedLUT, mean bound: Double = 0.01, max: Int = 1) throws {
        for subsampling in [ChromaSubsampling.quarter, .none] {
            let fast = try develop(Effect(own: table, isDeclared: true), subsampling)
            let plain = try develop(Effect(own: table, isDeclared: false), subsampling)
            let steps = zip(fast, plain).map { abs(Int($0) - Int($1)) }
            #expect(steps.max() ?? 0 <= max)
            let mean = Double(steps.reduce(0, +)) / Double(steps.count)
            #expect(mean < bound, "size \(table.lut.size), \(subsampling): \(mean)")
        }
    }

    @Test(
        "It differs from interpolation in floating point by one step at most and by a hundredth on average",
        arguments: [2, 3, 17, 25, 32, 33])
    func film(size: Int) throws {
        // With fewer cells their fractions are coarser.
        try judge(WeightedLUT(Self.table(size, Self.film)), mean: size < 5 ? 0.05 : 0.01)
    }

    @Test("So does a share of a LUT, and a LUT with curves before it")
    func shares() throws {
        try judge(WeightedLUT(Self.table(33, Self.film), weight: 0.35))
        let curved = Self.table(
            33, coordinate: { channel, value in value.squareRoot() / Float(channel + 1) }, Self.film)
        try judge(WeightedLUT(curved))
    }

    @Test("A LUT of random points differs by two steps at most")
    func random() throws {
        var random = Sensors.Random(state: 8)
        let rough = Self.table(33) { _ in .random(in: 0...1, using: &random) }
        // Values may go from end to end between two points: a coordinate that is off by 1/4,000 is off by two steps.
        try judge(WeightedLUT(rough), mean: 0.1, max: 2)
    }

    @Test(
        "An identity LUT keeps the neutral rendering; a LUT that is too large or too bright takes the generic way"
    )
    func identity() throws {
        try judge(WeightedLUT(Self.table(33) { $0 }))
        let neutral = try develop(IdentityStage(), .quarter)
        let same = try develop(Effect(own: WeightedLUT(Self.table(33) { $0 }), isDeclared: true), .quarter)
        #expect(zip(neutral, same).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
        let large = WeightedLUT(Self.table(34, Self.film))
        #expect(
            try develop(Effect(own: large, isDeclared: true), .quarter)
                == develop(Effect(own: large, isDeclared: false), .quarter))
        let bright = WeightedLUT(LUT3D(size: 2, points: [Float](repeating: 1.5, count: 24)))
        #expect(
            try develop(Effect(own: bright, isDeclared: true), .quarter)
                == develop(Effect(own: bright, isDeclared: false), .quarter))
    }

    @Test("Grey stays grey through a LUT without colours")
    func grey() throws {
        let table = WeightedLUT(Self.table(17) { v in SIMD3(repeating: (0.3 * v.x + 0.59 * v.y + 0.11 * v.z) * 0.9) })
        let bytes = try develop(Effect(own: table, isDeclared: true), .none)
        #expect(bytes.dropFirst(bytes.count / 3).allSatisfy { $0 == 128 })
    }

    @Test("Odd sizes in every orientation have the pixels of the generic way", arguments: Orientation.allCases)
    func orientations(orientation: Orientation) throws {
        let table = WeightedLUT(Self.table(9, Self.film))
        var context = DevelopContext()
        for size in [PixelSize(width: 1, height: 1), .init(width: 37, height: 23), .init(width: 1025, height: 4)] {
            let image = Sensors.image(Sensors.facts(.linearRGB, size, orientation: orientation)) { x, y in
                64 + (x * 37 + y * 101) % 3900
            }
            for subsampling in [ChromaSubsampling.quarter, .none] {
                let settings = DevelopSettings(brightness: .asExposed, subsampling: subsampling)
                let looks = [true, false].map { Effect(own: table, isDeclared: $0) }
                let fast = Bytes(try context.develop(image, settings: settings, look: looks[0]).full)
                let plain = Bytes(try context.develop(image, settings: settings, look: looks[1]).full)
                for (a, b) in [(fast.luma, plain.luma), (fast.cb, plain.cb), (fast.cr, plain.cr)] {
                    #expect(zip(a, b).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
                }
            }
        }
    }
}
