import ColourScience
import PictureFormat
import Pixels
import Testing

@testable import Develop

@Suite("Curves over light as cubics")
struct CubicPiecesTests {
    /// The tone curve of the neutral rendering as positions in a table, 65,536 steps to its end.
    private func positions(white: Double, _ space: ColourSpace, end: Int = 65_536) -> [Float] {
        let tone = ToneCurve(white: white)
        return (0..<LightIndex.count).map { i in
            let shown = TransferFunction.encode(tone(SIMD8(repeating: LightIndex.light(i))), space)[0]
            return Float(min(shown * Double(end), Double(end - 1)))
        }
    }

    @Test(
        "They follow every tone curve to three steps of 65,536 on average, to an eighth of an 8-bit step anywhere, and stay below the end",
        arguments: [65_536, 49_152, 32_768])
    func follow(end: Int) throws {
        for eighth in -3...32 {
            let curve = positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB, end: end)
            let cubics = try #require(CubicPieces(curve, end: end), "white of 2^(\(eighth)/8)")
            #expect(curve.indices.allSatisfy { cubics[$0] < end })
            let misses = curve.indices.map { abs(Float(cubics[$0]) - curve[$0]) }
            #expect(misses.max() ?? 0 <= 32)
            #expect(misses.reduce(0, +) / Float(misses.count) < 3)
        }
    }

    @Test("A domain that ends before white, or beyond it, leaves a curve smooth", arguments: [0.9, 1.1])
    func domains(end: Float) {
        for eighth in 0...32 {
            let curve = positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB)
            #expect(CubicPieces(curve.map { min($0 / end, 65_535) }, end: 65_536) != nil, "white of 2^(\(eighth)/8)")
        }
    }

    @Test("More light is never darker by more than the rounding, and white stays white")
    func monotone() throws {
        for eighth in -3...32 {
            let cubics = try #require(
                CubicPieces(positions(white: DeterministicMath.exp2(Double(eighth) / 8), .sRGB), end: 65_536))
            for i in 1..<LightIndex.count { #expect(Int(cubics[i]) >= Int(cubics[i - 1]) - 3) }
            #expect(cubics[LightIndex.count - 1] >= 65_528)
            #expect(cubics[0] <= 2)
        }
    }

    @Test("A curve with a step, a falling one, and one too steep at black are none for them")
    func refuse() {
        #expect(CubicPieces((0..<LightIndex.count).map { $0 < 3000 ? 1000 : 30_000 }, end: 65_536) == nil)
        #expect(CubicPieces((0..<LightIndex.count).map { Float(60_000 - 9 * $0) }, end: 65_536) == nil)
        #expect(CubicPieces(positions(white: 2, .adobeRGB), end: 65_536) == nil)
    }

    @Test("A level curve is one value, and the last place of light is reached")
    func edges() throws {
        let level = try #require(CubicPieces([Float](repeating: 1234, count: LightIndex.count), end: 2000))
        #expect((0..<LightIndex.count).allSatisfy { (1234...1235).contains(level[$0]) })
        let line = try #require(CubicPieces((0..<LightIndex.count).map { Float(10 * $0) }, end: 65_536))
        #expect(abs(Int(line[LightIndex.count - 1]) - 10 * (LightIndex.count - 1)) <= 2)
    }

    @Test("What a curve gives entry by entry is what its cubics give")
    func entries() {
        let curve = positions(white: 3, .sRGB)
        let cubics = CubicPieces(curve, end: 65_536)
        var random = SystemRandomNumberGenerator()
        let light = (0..<500).map { _ in
            Float.random(in: 0...1, using: &random) * Float.random(in: 0...18, using: &random)
        }
        var found = [UInt16](repeating: 0, count: 500)
        PlaceCurve(curve, end: 65_536).map(light, into: &found, count: 500)
        for (light, value) in zip(light, found) { #expect(value == cubics?[Int(LightIndex.index(light))]) }
    }
}
