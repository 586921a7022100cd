/// Change of a picture's finest detail: smooths noise and sharpens detail above it.
///
/// Detail is a pixel's root of light (`FixedPointRoots`) minus the mean of the 3 × 3 pixels around it, weighted by 1 2
/// 1 in both directions. Up to the limit of noise, a share of it is removed. Above the limit the share falls to nothing
/// at twice the limit (H.-Y. Gao and A. G. Bruce, 1997, "WaveShrink with firm shrinkage"). Nothing is removed where the
/// surrounding pixels differ so much that they are texture (after J. S. Lee, 1980, "Digital image enhancement and noise
/// filtering by use of local statistics"). Detail above the limit is amplified (unsharp masking), which compensates for
/// lens, filter and interpolation: about the inverse of a blur of 0.6 pixels. The result may exceed the range of its
/// neighbours by only a few levels, so that an edge becomes steeper without a halo.
package struct DetailLimits: Equatable, Sendable {
    /// Maximum factor of the excess over the limit, at a sharpening of 1.
    private static let maxAmplification: Float = 3
    /// Maximum overshoot beyond a pixel's neighbours at a sharpening of 1, relative to the root of light 1.
    private static let maxOvershoot: Float = 0.018
    /// Share of detail below the limit that full noise reduction removes.
    private static let removedShare: Float = 0.9
    /// Width of the transition from noise to texture, in deviations of noise.
    private static let textureWidth: Float = 2
    /// Cube root of light below which shot noise grows towards the shadows.
    private static let bright: Float = 0.7
    /// Share of that growth at black, for a parabola.
    private static let atBlack: Float = 0.675
    /// Cube root below which noise grows further, because of read noise.
    private static let shadows: Float = 0.35

    /// An eighth of the factor of the excess over the limit, times 2¹⁶.
    let amplification: Int16
    /// Width, in roots, over which removal falls to nothing as the range of a pixel and its neighbours exceeds three
    /// quarters of the limit.
    let rangeWidth: Int16
    /// Bits by which the width is shifted to use all of its 15.
    let rangeShift: Int16
    /// An eighth of the factor of detail that noise explains, in the smoothest surroundings, times 2³² over the shifted
    /// width.
    let removal: Int16
    /// Twice the smallest limit, in roots.
    let limit: Int16
    /// The root below which the limit grows with the squared distance, and the growth times 2²⁸.
    let bendEnd: Int16
    let bend: Int16
    /// The root below which the limit grows further, and the growth per root times 2¹⁴.
    let shadowEnd: Int16
    let shadowSlope: Int16
    /// Maximum distance of a result from the range of its neighbours, in roots.
    let overshoot: Int16

    /// Limits for reduced pictures: half as much sharpening (0…1), and noise as averaging leaves it. Nil if nothing
    /// would change. `deviation` is that of the square root of light before reduction; `scale` is the new width as a
    /// share of the old one.
    package init?(outputSharpening sharpening: Float, deviation: Float, scale: Float) {
        self.init(
            sharpening: sharpening / 2, deviation: deviation * min(scale, 1), noiseReduction: 0,
            clip: OutputSharpening.brightest)
    }

    /// Noise of a cube root relative to the even noise of the square root: the ratio of their slopes.
    private static func noise(at root: Float) -> Float { 2 / (3 * root.squareRoot()) }

    /// Nil if nothing would change. Sharpening and noise reduction are 0…1. `deviation` is the standard deviation of
    /// the square root of light, where light is 1 at saturation; `clip` is the balanced light of a saturated sample, by
    /// channel.
    package init?(sharpening: Float, deviation: Float, noiseReduction: Float, clip: [Float]) {
        let sharpening = sharpening > 0 ? min(sharpening, 1) : 0
        let reduction = noiseReduction > 0 ? min(noiseReduction, 1) : 0
        guard sharpening > 0 || reduction > 0, deviation > 0, deviation < 1 else { return nil }
        let unit = FixedPointRoots(clip: clip).unit
        func integer(_ value: Float) -> Int16 { Int16(min(max(value.rounded(), 0), 32_767)) }
        amplification = integer(sharpening * Self.maxAmplification / 8 * 65_536)
        let (least, most) = (
            Self.noise(at: Self.bright), Self.noise(at: CubeRootEncoding.root(CubeRootEncoding.offset))
        )
        let width = integer(min(max(Self.textureWidth * least * deviation * unit, 1), 8191))
        rangeShift = Int16(truncatingIfNeeded: width.leadingZeroBitCount - 1)
        removal = integer(reduction * Self.removedShare / 8 * 65_536 * 65_536 / Float(width &<< rangeShift))
        rangeWidth = width
        // Detail counts twice: 1.5 deviations in clean pictures, more where most detail is noise.
        let limit = (3 + 1.5 * reduction) * deviation * unit
        self.limit = integer(min(least * limit, 8191))
        // Twice its square has 16 bits.
        let bright = min(Self.bright * unit, 11_585)
        bendEnd = integer(bright)
        bend = integer(min((most - least) / Self.atBlack * limit, 8191) / (bright * bright / 16_384) * 16_384)
        let end = min(Self.shadows * unit, 8191)
        shadowEnd = integer(end)
        // Three electrons of read noise against the shot noise of light at the encoding's offset.
        let growth = min(max(6 * deviation / SquareRootEncoding.offset.squareRoot() - 1, 0), 4)
        shadowSlope = integer(min(growth * most * limit, 8191) / max(end, 1) * 16_384)
        overshoot = integer(sharpening * Self.maxOvershoot * unit)
    }
}
