import ColourScience
import DevelopKernels

/// Gain of a display that is brighter than the photo's white: about the ratio of scene light to diffuse white.
///
/// Diffuse white is the light that the tone curve maps to 0.9, which the brightest paper reflects. With r as light over
/// diffuse white, the gain is (1 + r⁴)^¼: hardly above 1 in middle tones, r far above diffuse white, and no kink
/// between. So light stays proportional to the scene's where the tone curve levels off. The gain does not depend on the
/// look: it brightens the photo with its look.
struct GainCurve {
    /// Maximum gain. No light is shown brighter than five times the photo's white.
    static let maxStops = 2.3

    private let diffuseWhite: Double

    init(_ tone: ToneCurve) { diffuseWhite = tone.light(0.9) }

    /// Gain in stops, 0…`maxStops`, by scene light.
    func stops(_ light: SIMD8<Double>) -> SIMD8<Double> {
        let square = (light / diffuseWhite) * (light / diffuseWhite)
        return pointwiseMin(DeterministicMath.log2(1 + square * square) / 4, SIMD8(repeating: Self.maxStops))
    }

    /// From light to samples of a map, 0…255.
    var samples: LightCurve { LightCurve { self.stops($0) * (255 / Self.maxStops) } }
}
