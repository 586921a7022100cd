import ColourScience
import PictureFormat

/// From light in Rec. 2020 whose channels passed a tone curve, each on its own, to light of a display space.
///
/// First the hue of the scene's light is given back: the curve keeps the largest and the smallest channel, and the one
/// between them returns to its place between both (as Adobe's DNG SDK applies tone curves). Then colours that the
/// display space does not hold move towards the grey of their luminance, and no further than it takes. So a colour is
/// the same in every space that holds it, and no channel is clipped on its own, which would change the hue.
struct DisplayMapping {
    /// The chroma, as a share of what the space holds at a hue and luminance, from which on colours come closer to its
    /// limit but never reach it. Without such a knee, all that lies outside would end in one flat tone.
    private static let knee = 0.9
    /// Places between the outer channels are those in the scene. The curves of photos differ, and one stands for all of
    /// them, so that one table serves all photos.
    private static let curve = ToneCurve(white: 3)

    private let toDisplay: [Double]

    init(_ display: ColourSpace) {
        toDisplay = (RGBPrimaries(display).fromXYZ * RGBPrimaries.rec2020.toXYZ).elements
    }

    /// Scene light that the usual curve tones to some display light, 0…1.
    static func scene(_ toned: Double) -> Double { curve.light(toned) }

    /// - Parameters:
    ///   - toned: toned light in Rec. 2020, 0…1.
    ///   - scene: ``scene(_:)`` of each channel.
    /// - Returns: light in the display space, 0…1.
    func callAsFunction(_ toned: SIMD3<Double>, scene: SIMD3<Double>) -> SIMD3<Double> {
        fitted(Self.withHue(of: scene, toned))
    }

    /// The second step alone.
    ///
    /// - Parameter light: in Rec. 2020, 0…1.
    /// - Returns: light in the display space, 0…1.
    func fitted(_ light: SIMD3<Double>) -> SIMD3<Double> {
        let luminance = Self.luminance(light)
        let m = toDisplay
        let colour = SIMD3(
            m[0] * light.x + m[1] * light.y + m[2] * light.z, m[3] * light.x + m[4] * light.y + m[5] * light.z,
            m[6] * light.x + m[7] * light.y + m[8] * light.z)
        guard luminance > 0 else { return .zero }
        let grey = SIMD3(repeating: luminance)
        // The share of the chroma at which one channel has no light.
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

    /// The toned colour with its middle channel where the scene's is between the outer ones.
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
