import ColourScience
import Testing

@testable import Develop

@Suite("Tone curve")
struct ToneCurveTests {
    /// Scene light that becomes display white, from a flat scene to four stops above it.
    static let whites = [0.8, 1, 2, 4, 8, 15]
    /// A hundred steps a stop, from far below mid grey to beyond every white.
    private static let lights = (-1000...500).map { DeterministicMath.exp2(Double($0) / 100) }

    /// Stops on display for a stop of the scene, at a light.
    private func slope(_ curve: ToneCurve, _ x: Double) -> Double {
        (DeterministicMath.log2(curve(x * 1.001)) - DeterministicMath.log2(curve(x / 1.001)))
            / (2 * DeterministicMath.log2(1.001))
    }

    @Test("Mid grey keeps its value, and the scene's white and all above it is display white", arguments: whites)
    func anchors(white: Double) {
        let curve = ToneCurve(white: white)
        #expect(curve(0) == 0)
        #expect(abs(curve(ToneCurve.grey) - ToneCurve.grey) < 1e-9)
        #expect(abs(curve(white) - 1) < 1e-9)
        #expect(curve(white * 1.1) == 1 && curve(1000) == 1)
    }

    @Test("More light is never darker, and below white always brighter", arguments: whites)
    func monotone(white: Double) {
        let curve = ToneCurve(white: white)
        for (darker, brighter) in zip(Self.lights, Self.lights.dropFirst()) {
            #expect(curve(brighter) >= curve(darker))
            if brighter < white { #expect(curve(brighter) > curve(darker)) }
        }
    }

    @Test(
        "The shoulder reduces contrast evenly: full in the shadows, less with every step up to white",
        arguments: whites)
    func shoulder(white: Double) {
        let curve = ToneCurve(white: white)
        let slopes = Self.lights.filter { $0 < white / 1.01 }.map { slope(curve, $0) }
        #expect(abs(slopes[0] - ToneCurve.contrast) < 0.01)
        for (below, above) in zip(slopes, slopes.dropFirst()) { #expect(above < below + 1e-6) }
        // White is reached on a slope, not run into: what is left of the contrast follows from grey and white alone.
        let left = slopes[slopes.count - 1]
        #expect(left > 0.02 && left < ToneCurve.contrast)
    }

    @Test("With a brighter white the same light is darker, and contrast near white is greater")
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
            // And no colour becomes stronger than it was: channels only come closer.
            let ratio = (light.max() ?? 1) / (light.min() ?? 1)
            let shown = (display.max() ?? 1) / (display.min() ?? 1)
            #expect(shown <= DeterministicMath.pow(ratio, ToneCurve.contrast) * 1.000001)
        }
    }
}

extension ToneCurve {
    /// One value at a time.
    func callAsFunction(_ x: Double) -> Double { self(SIMD8(repeating: x))[0] }
}
