import ColourScience
import PictureFormat
import Testing

@Suite("Lights and spaces")
struct LocusTests {
    @Test("Black bodies have the colours of CIE 15 at 2,856 K (illuminant A) and of tables at other temperatures")
    func planckian() {
        for (kelvin, x, y) in [
            (2856.0, 0.4476, 0.4074), (2000, 0.5267, 0.4133), (3500, 0.4053, 0.3907), (6500, 0.3135, 0.3237),
        ] {
            let found = PlanckianLocus.chromaticity(reciprocalKilokelvin: 1000 / kelvin)
            #expect(abs(found.x - x) < 1e-3 && abs(found.y - y) < 1e-3, "\(kelvin): \(found)")
        }
    }

    @Test("Single precision gives the single-precision values of the published fits, to the bit")
    func singlePrecision() {
        for mired in stride(from: Float(141), through: 420, by: 1) {
            let t = mired / 1000
            let (x, y): (Float, Float)
            if mired > 250 {
                x = ((-0.2661239 * t - 0.2343589) * t + 0.8776956) * t + 0.179910
                y = ((-0.9549476 * x - 1.37418593) * x + 2.09137015) * x - 0.16748867
            } else {
                x = ((-3.0258469 * t + 2.1070379) * t + 0.2226347) * t + 0.240390
                y = ((3.081758 * x - 5.8733867) * x + 3.75112997) * x - 0.37001483
            }
            let found = PlanckianLocus.chromaticity(reciprocalKilokelvin: t)
            #expect(found.x == x && found.y == y, "\(mired) mired")
        }
    }

    @Test("Daylight of 6,504 K is D65, and of 5,003 K is D50")
    func daylight() {
        for (kelvin, x, y) in [(6504.0, 0.3127, 0.3290), (5003, 0.3457, 0.3585), (7504, 0.2990, 0.3149)] {
            let found = DaylightLocus.chromaticity(reciprocalKilokelvin: 1000 / kelvin)
            #expect(abs(found.x - x) < 2e-4 && abs(found.y - y) < 2e-4, "\(kelvin): \(found)")
        }
    }

    @Test("A temperature is recovered from its white, and a tint towards magenta lies below the locus")
    func temperatures() {
        for kelvin in stride(from: 2500.0, through: 9500, by: 500) {
            let white = ColourTemperature.white(kelvin: kelvin, tint: 0)
            #expect(abs(ColourTemperature.kelvin(of: white) / kelvin - 1) < 0.02, "\(kelvin)")
            #expect(ColourTemperature.white(kelvin: kelvin, tint: 30).y < white.y)
        }
        let ends = [(100.0, 1667.0), (1e6, 25_000)]
        for (beyond, end) in ends {
            let clamped = ColourTemperature.white(kelvin: beyond, tint: 0)
            #expect(clamped == ColourTemperature.white(kelvin: end, tint: 0))
        }
    }

    @Test("The white of every space is D65, and both directions are inverse")
    func primaries() {
        for space in [RGBPrimaries.rec709, .displayP3, .adobeRGB, .rec2020] {
            for (found, white) in zip(space.toXYZ * [1, 1, 1], Chromaticity.d65.xyz) {
                #expect(abs(found - white) < 1e-12)
            }
            for (i, element) in (space.fromXYZ * space.toXYZ).elements.enumerated() {
                #expect(abs(element - (i % 4 == 0 ? 1 : 0)) < 1e-12)
            }
        }
    }

    @Test("Adaptation maps one white to the other, and is the identity for equal whites")
    func adaptation() {
        let warm = ColourTemperature.white(kelvin: 2856, tint: 0)
        let adapted = ChromaticAdaptation.bradford(from: warm, to: .d65) * warm.xyz
        for (found, white) in zip(adapted, Chromaticity.d65.xyz) { #expect(abs(found - white) < 1e-9) }
        for (i, element) in ChromaticAdaptation.bradford(from: .d65, to: .d65).elements.enumerated() {
            #expect(abs(element - (i % 4 == 0 ? 1 : 0)) < 1e-9)
        }
    }

    @Test(
        "A singular matrix has no inverse", arguments: [[Double](repeating: 0, count: 9), [1, 2, 3, 2, 4, 6, 0, 0, 1]])
    func singular(elements: [Double]) {
        #expect(Matrix3x3(elements).inverse == nil)
    }

    @Test("Decoding undoes encoding", arguments: ColourSpace.allCases)
    func transfer(space: ColourSpace) {
        for step in 0...100 {
            let light = Double(step) / 100
            let code = TransferFunction.encode(SIMD8(repeating: light), space)[0]
            #expect(abs(TransferFunction.decode(code, space) - light) < 1e-4)
        }
    }
}
