import ColourScience
import Testing

@testable import Develop

@Suite("Tone curve")
struct ToneCurveTests {
    /// Scene light that becomes display white, from a flat scene to four stops more.
    static let whites = [0.8, 1, 2, 4, 8, 15]
    /// A hundred steps per stop, from far below mid grey to beyond every white.
    private static let lights = (-1000...500).map { DeterministicMath.exp2(Double($0) / 100) }

    /// Display stops per scene stop, at a light.
    private func slope(_ curve: ToneCurve, _ x: Double) -> Double {
        (DeterministicMath.log2(curve(x * 1.001)) - DeterministicMath.log2(curve(x / 1.001)))
            / (2 * DeterministicMath.log2(1.001))
    }

    @Test("Mid grey keeps its value, and the scene's white and brighter light are display white", arguments: whites)
    func anchors(white: Double) {
        let curve = ToneCurve(white: white)
        #expect(curve(0) == 0)
        #expect(abs(curve(ToneCurve.grey) - ToneCurve.grey) < 1e-9)
        #expect(abs(curve(white) - 1) < 1e-9)
        #expect(curve(white * 1.1) == 1 && curve(1000) == 1)
    }

    @Test("More light is never darker, and strictly brighter below white", arguments: whites)
    func monotone(white: Double) {
        let curve = ToneCurve(white: white)
        for (darker, brighter) in zip(Self.lights, Self.lights.dropFirst()) {
            #expect(curve(brighter) >= curve(darker))
            if brighter < white { #expect(curve(brighter) > curve(darker)) }
        }
    }

    @Test("Contrast rises from the toe to one maximum, and falls from there to white", arguments: whites)
    func summit(white: Double) {
        for steps in Contrast.range.lowerBound.steps...Contrast.range.upperBound.steps {
            let curve = ToneCurve(white: white, contrast: Contrast(steps: steps))
            let slopes = Self.lights.filter { $0 < white / 1.01 }.map { slope(curve, $0) }
            let top = slopes.indices.max { slopes[$0] < slopes[$1] } ?? 0
            for i in slopes.indices.dropFirst() {
                #expect(i <= top ? slopes[i] > slopes[i - 1] - 1e-6 : slopes[i] < slopes[i - 1] + 1e-6)
            }
            // Shadows stay distinct, and white is approached with a finite slope.
            #expect(slopes[0] > 0.99 && slopes[top] < ToneCurve.maxContrast && (slopes.last ?? 0) > 0.0005)
        }
    }

    @Test("Mid grey has a camera's contrast, and diffuse white its brightness", arguments: whites.filter { $0 > 1 })
    func camera(white: Double) {
        let curve = ToneCurve(white: white)
        #expect((1.3...1.5).contains(slope(curve, ToneCurve.grey)))
        // In 8-bit sRGB these are 234 and 251.
        #expect((0.82...0.965).contains(curve(1)), "\(curve(1))")
    }

    @Test("A contrast setting is the contrast at mid grey", arguments: whites.filter { $0 > 1 })
    func contrasts(white: Double) {
        let slopes = (Contrast.range.lowerBound.steps...Contrast.range.upperBound.steps).map {
            slope(ToneCurve(white: white, contrast: Contrast(steps: $0)), ToneCurve.grey)
        }
        for (stronger, weaker) in zip(slopes, slopes.dropFirst()) { #expect(weaker < stronger - 0.01) }
        #expect((slopes.first ?? 0) > 1.42 && (slopes.last ?? 9) < 1.2)
    }

    @Test("With a brighter white, the same light is darker, and contrast near white is greater")
    func brighterWhite() {
        for (nearer, farther) in zip(Self.whites, Self.whites.dropFirst()) {
            let (steep, soft) = (ToneCurve(white: nearer), ToneCurve(white: farther))
            for light in [0.3, 0.5, 0.7] { #expect(soft(light) < steep(light)) }
            #expect(slope(soft, farther * 0.98) < slope(steep, nearer * 0.98))
        }
    }

    @Test("The order of the channels is kept, so that no highlight turns magenta", arguments: whites)
    func order(white: Double) {
        let curve = ToneCurve(white: white)
        var random = Sensors.Random(state: 3)
        for _ in 0..<2000 {
            let light = (0..<3).map { _ in DeterministicMath.exp2(Double.random(in: -6...4, using: &random)) }
            let display = light.map { curve($0) }
            for (i, j) in [(0, 1), (1, 2), (0, 2)] where light[i] <= light[j] { #expect(display[i] <= display[j]) }
            // No colour becomes stronger than by the contrast.
            let ratio = (light.max() ?? 1) / (light.min() ?? 1)
            let shown = (display.max() ?? 1) / (display.min() ?? 1)
            #expect(shown <= DeterministicMath.pow(ratio, ToneCurve.maxContrast) * 1.000001)
        }
    }
}

extension ToneCurve {
    func callAsFunction(_ x: Double) -> Double { self(SIMD8(repeating: x))[0] }
}
