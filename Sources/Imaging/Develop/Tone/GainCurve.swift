import ColourScience
import DevelopKernels

/// By how much a display that is brighter than the photo's white shows a place brighter than the photo: by as much as
/// the scene's light there was above diffuse white.
///
/// Diffuse white is the light that the tone curve brings to 0.9, as the brightest paper reflects. With r, light by
/// diffuse white, the gain is (1 + r⁴)^¼: hardly more than 1 where the photo has middle tones, r far above diffuse
/// white, and without a kink between. So light goes on in proportion to the scene's where the tone curve levels off.
/// The gain does not know the look: the photo with its look is what is made brighter.
struct GainCurve {
    /// Of the largest gain. No light is shown brighter than five times the photo's white.
    static let maxStops = 2.3

    private let diffuseWhite: Double

    init(_ tone: ToneCurve) { diffuseWhite = tone.light(0.9) }

    /// The gain in stops, 0…`maxStops`, of the scene's light.
    func stops(_ light: SIMD8<Double>) -> SIMD8<Double> {
        let square = (light / diffuseWhite) * (light / diffuseWhite)
        return pointwiseMin(DeterministicMath.log2(1 + square * square) / 4, SIMD8(repeating: Self.maxStops))
    }

    /// From light to samples of a map, 0…255.
    var samples: LightCurve { LightCurve { self.stops($0) * (255 / Self.maxStops) } }
}
