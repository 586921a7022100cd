import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop
@testable import DevelopKernels
import SeededRandom

@Suite("Curves as piecewise cubics")
struct PiecewiseCubicTests {
    /// The tone curve of the neutral rendering as coordinates in a LUT.
    private func positions(white: Double, _ space: ColourSpace, end: Int = 65_536) -> [Float] {
        let tone = ToneCurve(white: white)
        return (0..<LightLUTIndex.count).map { i in
            let shown = TransferFunction.encode(tone(SIMD8(repeating: LightLUTIndex.light(i))), space)[0]
            return Float(min(shown * Double(end), Double(end - 1)))
        }
    }

    @Test(
        "Every tone curve is approximated within 3 of 65,536 on average and an eighth of an 8-bit step anywhere",
        arguments: [65_536, 49_152, 32_768])
    func follow(end: Int) throws {
        for eighth in -3...32 {
            let curve = positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB, end: end)
            let cubics = try #require(PiecewiseCubic(curve, end: end), "white of 2^(\(eighth)/8)")
            #expect(curve.indices.allSatisfy { cubics[$0] < end })
            let misses = curve.indices.map { abs(Float(cubics[$0]) - curve[$0]) }
            #expect(misses.max() ?? 0 <= 32)
            #expect(misses.reduce(0, +) / Float(misses.count) < 3)
        }
    }

    @Test("A curve stays smooth if its domain ends before or beyond white", arguments: [0.9, 1.1])
    func domains(end: Float) {
        for eighth in 0...32 {
            let curve = positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB)
            #expect(PiecewiseCubic(curve.map { min($0 / end, 65_535) }, end: 65_536) != nil, "white of 2^(\(eighth)/8)")
        }
    }

    @Test("More light is never darker beyond rounding, and white stays white")
    func monotone() throws {
        for eighth in -3...32 {
            let cubics = try #require(
                PiecewiseCubic(positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB), end: 65_536))
            for i in 1..<LightLUTIndex.count { #expect(Int(cubics[i]) >= Int(cubics[i - 1]) - 3) }
            #expect(cubics[LightLUTIndex.count - 1] >= 65_528)
            #expect(cubics[0] <= 2)
        }
    }

    @Test("A curve with a step, a falling curve, and one that is too steep at black are refused")
    func refuse() {
        #expect(PiecewiseCubic((0..<LightLUTIndex.count).map { $0 < 3000 ? 1000 : 30_000 }, end: 65_536) == nil)
        #expect(PiecewiseCubic((0..<LightLUTIndex.count).map { Float(60_000 - 9 * $0) }, end: 65_536) == nil)
        #expect(PiecewiseCubic(positions(white: 2, .adobeRGB), end: 65_536) == nil)
    }

    @Test("A level curve has one value, and the last index of light is reached")
    func edges() throws {
        let level = try #require(PiecewiseCubic([Float](repeating: 1234, count: LightLUTIndex.count), end: 2000))
        #expect((0..<LightLUTIndex.count).allSatisfy { (1234...1235).contains(level[$0]) })
        let line = try #require(PiecewiseCubic((0..<LightLUTIndex.count).map { Float(10 * $0) }, end: 65_536))
        #expect(abs(Int(line[LightLUTIndex.count - 1]) - 10 * (LightLUTIndex.count - 1)) <= 2)
    }

    @Test("The entries of a curve are the values of its cubics")
    func entries() {
        let curve = positions(white: 3, .sRGB)
        let cubics = PiecewiseCubic(curve, end: 65_536)
        var random = SeededGenerator()
        let light = (0..<500).map { _ in
            Float.random(in: 0...1, using: &random) * Float.random(in: 0...18, using: &random)
        }
        var found = [UInt16](repeating: 0, count: 500)
        CoordinateCurve.rounded(curve, end: 65_536).map(light, into: &found, count: 500)
        for (light, value) in zip(light, found) {
            #expect(value == cubics?[Int(LightLUTIndex.index(light))], "seed \(random.seed)")
        }
    }
}
