import ColourScience
import PictureFormat

/// From light in Rec. 2020 whose channels passed a tone curve separately, to light of a display space.
///
/// First restores the hue of the scene's light: the curve decides the largest and smallest channel, and the channel
/// between them returns to its relative place (as Adobe's DNG SDK applies tone curves). Then moves colours outside the
/// display space towards the grey of their luminance, no further than necessary. So a colour is the same in every space
/// that contains it, and no channel is clipped separately, which would change the hue.
struct DisplayMapping {
    /// Share of the space's maximum chroma at a hue and luminance from which colours approach the limit without
    /// reaching it. Without such a knee, all colours outside would merge into one flat tone.
    private static let knee = 0.9
    /// Gives the scene light by which the middle channel is placed. One curve stands for those of all photos, so that
    /// one table serves them.
    private static let curve = ToneCurve(white: 3)

    private let toDisplay: [Double]

    init(_ display: ColourSpace) {
        toDisplay = (RGBPrimaries(display).fromXYZ * RGBPrimaries.rec2020.toXYZ).elements
    }

    /// Scene light that the usual curve maps to display light, 0…1.
    static func scene(_ toned: Double) -> Double { curve.light(toned) }

    /// From toned light in Rec. 2020 and ``scene(_:)`` of each channel to light in the display space; all light is 0…1.
    func callAsFunction(_ toned: SIMD3<Double>, scene: SIMD3<Double>) -> SIMD3<Double> {
        fitted(Self.withHue(of: scene, toned))
    }

    /// The second step alone, from light in Rec. 2020 to light in the display space, both 0…1.
    func fitted(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let luminance = Self.luminance(light)
        let m = toDisplay
        let colour = SIMD3(
            m[0] * light.x + m[1] * light.y + m[2] * light.z, m[3] * light.x + m[4] * light.y + m[5] * light.z,
            m[6] * light.x + m[7] * light.y + m[8] * light.z)
        guard luminance > 0 else { return .zero }
        let grey = SIMD3(repeating: luminance)
        // The share of the chroma at which a channel reaches zero.
        let depth = (luminance - colour.min()) / luminance
        var kept = 1.0
        if depth > Self.knee {
            let (over, room) = (depth - Self.knee, 1 - Self.knee)
            kept = (Self.knee + over / (1 + over / room)) / depth
        }
        let peak = (colour.max() - luminance) * kept
        if luminance + peak > 1 { kept *= (1 - luminance) / peak }
        return (grey + (colour - grey) * kept).clamped(lowerBound: .zero, upperBound: .one)
    }

    private static let weights: SIMD3<Double> = {
        let m = RGBPrimaries.rec2020.toXYZ.elements
        return SIMD3(m[3], m[4], m[5])
    }()

    private static func luminance(_ light: SIMD3<Double>) -> Double {
        let parts = weights * light
        return min(parts.x + parts.y + parts.z, 1)
    }

    /// Moves the toned colour's middle channel to its relative place in the scene.
    private static func withHue(of scene: SIMD3<Double>, _ toned: SIMD3<Double>) -> SIMD3<Double> {
        var (low, middle, high) = (0, 1, 2)
        if scene[middle] < scene[low] { swap(&low, &middle) }
        if scene[high] < scene[middle] { swap(&middle, &high) }
        if scene[middle] < scene[low] { swap(&low, &middle) }
        let span = scene[high] - scene[low]
        guard span > 0 else { return toned }
        var result = toned
        result[middle] = toned[low] + (toned[high] - toned[low]) * (scene[middle] - scene[low]) / span
        return result
    }
}
