import ColourScience
import Foundation
import SeededRandom
import Testing

@Suite("Deterministic mathematics")
struct DeterministicMathTests {
    private typealias Vector = DeterministicMath.Vector

    @Test("The error is at most 2 · 10⁻¹⁵, independent of the other seven lanes")
    func accuracy() {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<20_000 {
            let bases = Vector((0..<8).map { _ in Double.random(in: 1e-6...16, using: &random) })
            let exponent = Double.random(in: 0.3...2.5, using: &random)
            let powers = DeterministicMath.pow(bases, exponent)
            for lane in 0..<8 {
                #expect(powers[lane] == DeterministicMath.pow(bases[lane], exponent))
                let expected = pow(bases[lane], exponent)
                #expect(abs(powers[lane] - expected) <= 2e-15 * max(1, abs(log(expected))) * expected)
            }
        }
    }

    @Test("Whole powers of 2 are exact over the whole range", arguments: [-1022, -700, -1, 0, 1, 52, 700, 1023])
    func exact(exponent: Int) {
        let power = Double(sign: .plus, exponent: exponent, significand: 1)
        #expect(DeterministicMath.exp2(Double(exponent)) == power)
        #expect(DeterministicMath.log2(power) == Double(exponent))
    }

    @Test("Results out of range become 0 or infinity, and so does a power of zero")
    func edges() {
        let ends = DeterministicMath.exp2(Vector(-1e9, -1023, -.infinity, 0, 1023.5, 1e9, .infinity, 1))
        #expect(ends == Vector(0, 0, 0, 1, .infinity, .infinity, .infinity, 2))
        let powers = DeterministicMath.pow(Vector(0, -1, -0.0, 1, 1, 1, 1, 1), 1.16)
        #expect(powers == Vector(0, 0, 0, 1, 1, 1, 1, 1))
    }
}
