/// How the finest detail of a picture changes: what noise explains is smoothed, and what is above it is sharpened.
///
/// Detail is a pixel's root of light (`FixedPointRoots`) minus the mean of the 3 × 3 pixels around it, weighted by 1 2 1
/// in both directions. Up to the limit that noise sets, a share of it is removed, above it less, and nothing from twice the
/// limit on (H.-Y. Gao and A. G. Bruce, 1997, "WaveShrink with firm shrinkage"), nor where the pixels around differ so much
/// that there is texture (after J. S. Lee, 1980, "Digital image enhancement and noise filtering by use of local statistics").
/// What exceeds the limit is amplified (unsharp masking), which gives back what lens, filter and interpolation have taken:
/// about the inverse of a blur of 0.6 pixels. The result may leave the range of its neighbours by a few levels only, so that
/// an edge gets steeper without a halo.
package struct DetailLimits: Equatable, Sendable {
    /// How many times the excess over the limit is added at most, at a sharpening of 1.
    private static let maxAmplification: Float = 3
    /// How far a result may lie outside its neighbours at a sharpening of 1, as a share of the root of light 1.
    private static let maxOvershoot: Float = 0.025
    /// The share of the detail below the limit that noise reduction removes in full strength.
    private static let removedShare: Float = 0.9
    /// The range of 3 × 3 pixels, in deviations of noise, above which there is texture, and the width of the way there. Noise
    /// alone has a range of three.
    private static let texture: Float = 3.5
    private static let textureWidth: Float = 2
    /// The root of light below which noise grows, because read noise adds to shot noise.
    private static let shadows: Float = 0.1

    /// An eighth of the factor of what exceeds the limit, times 2¹⁶.
    let amplification: Int16
    /// The range of a pixel and its neighbours, in roots, from which on nothing is removed, and the width below it over which
    /// that comes about.
    let rangeEnd: Int16
    let rangeWidth: Int16
    /// How many bits the width is shifted by to use all of its 15.
    let rangeShift: Int16
    /// An eighth of the factor of what noise explains, in a range that is as smooth as can be, times 2³² by the shifted width.
    let removal: Int16
    /// Twice the limit, in roots.
    let limit: Int16
    /// The root below which the limit grows, and by how much for a root less, times 2¹².
    let shadowEnd: Int16
    let shadowSlope: Int16
    /// How far a result may lie outside the range of its neighbours, in roots.
    let overshoot: Int16

    /// Those of pictures that were made smaller: half as much sharpening, and noise as averaging leaves it. Nil if nothing
    /// would change.
    ///
    /// - Parameters:
    ///   - sharpening: 0…1.
    ///   - deviation: standard deviation of the root of light before the picture was made smaller.
    ///   - scale: the new width as a share of the old one.
    package init?(outputSharpening sharpening: Float, deviation: Float, scale: Float) {
        self.init(
            sharpening: sharpening / 2, deviation: deviation * min(scale, 1), noiseReduction: 0,
            clip: OutputSharpening.brightest)
    }

    /// Nil if nothing would change.
    ///
    /// - Parameters:
    ///   - sharpening: 0…1.
    ///   - deviation: standard deviation of the root of light, where light is 1 at saturation.
    ///   - noiseReduction: the share of full noise reduction, 0…1.
    ///   - clip: balanced light of a saturated sample, by channel.
    package init?(sharpening: Float, deviation: Float, noiseReduction: Float, clip: [Float]) {
        let sharpening = sharpening > 0 ? min(sharpening, 1) : 0
        let reduction = noiseReduction > 0 ? min(noiseReduction, 1) : 0
        guard sharpening > 0 || reduction > 0, deviation > 0, deviation < 1 else { return nil }
        let unit = FixedPointRoots(clip: clip).square.squareRoot()
        func integer(_ value: Float) -> Int16 { Int16(min(max(value.rounded(), 0), 32_767)) }
        amplification = integer(sharpening * Self.maxAmplification / 8 * 65_536)
        let width = integer(min(max(Self.textureWidth * deviation * unit, 1), 8191))
        rangeShift = Int16(truncatingIfNeeded: width.leadingZeroBitCount - 1)
        removal = integer(reduction * Self.removedShare / 8 * 65_536 * 65_536 / Float(width &<< rangeShift))
        rangeWidth = width
        rangeEnd = integer(min(Self.texture * deviation * unit, 16_383)) + width
        // Detail is counted twice: one and a half deviations where pictures are clean, more where most detail is noise.
        let limit = min((3 + 1.5 * reduction) * deviation * unit, 8191)
        self.limit = integer(limit)
        let end = min(Self.shadows * unit, 2047)
        shadowEnd = integer(end)
        // Three electrons of read noise against the shot noise of a light that is the encoding's offset.
        let growth = min(max(6 * deviation / SquareRootEncoding.offset.squareRoot() - 1, 0), 4)
        shadowSlope = integer(min(growth * limit, 8191) / max(end, 1) * 4096)
        overshoot = integer(sharpening * Self.maxOvershoot * unit)
    }
}
