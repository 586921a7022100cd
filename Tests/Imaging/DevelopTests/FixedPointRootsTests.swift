import Foundation
import SeededRandom
import Testing

@testable import DevelopKernels

@Suite("Roots of light")
struct FixedPointRootsTests {
    @Test("A cube root is within a few hundred thousandths, from black to the brightest light")
    func accuracy() {
        var random = SeededGenerator()
        for _ in 0..<20_000 {
            let number =
                Float.random(in: 1...2, using: &random) * Float(exp2(Double.random(in: -20...42, using: &random)))
            let ratio = Double(CubeRootEncoding.root(number)) / cbrt(Double(number))
            #expect(abs(ratio - 1) < 2.4e-5, "\(number), seed \(random.seed)")
        }
        for number: Float in [0, -0.0, -1, -Float.infinity, -Float.greatestFiniteMagnitude, Float.nan] {
            #expect((0...0.01).contains(CubeRootEncoding.root(number)))
        }
    }

    @Test(
        "Integer roots match the light, and saturation leaves headroom", arguments: [[Float(1)], [2, 1, 1.5], [16]])
    func integers(clip: [Float]) {
        let roots = FixedPointRoots(clip: clip)
        for step in 0...4000 {
            let light = clip.max()! * 1.06 * Float(step) / 4000
            let exact = cbrt(Double(light + CubeRootEncoding.offset) * Double(roots.cube))
            #expect(abs(Double(roots.root(light)) - exact) <= 1)
            #expect(abs(roots.light(roots.exactRoot(light)) - light) < 1e-4 * (light + 0.01))
        }
        #expect(roots.root(-1) == 0 && roots.root(clip.max()! * 2) == 16_383)
        #expect(roots.root(clip.max()!) < 16_383)
    }
}
