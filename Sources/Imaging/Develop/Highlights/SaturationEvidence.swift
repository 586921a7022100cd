import PictureFormat
import Pixels

/// Distinguishes saturated samples from a smooth bright surface by the other channels.
///
/// On a surface all channels brighten and darken together. A saturated channel stays constant, while the others vary or
/// are near saturation too.
struct SaturationEvidence {
    /// Pixels along both edges of a block: a multiple of every mosaic's period.
    static let edge = 6

    /// The channel in doubt: 0 red, 1 green, 2 blue.
    let channel: Int
    /// Means of the pile's blocks, as shares of white.
    private let range: ClosedRange<Float>
    private let isBlurred: Bool
    private var blocks = 0
    private var bright = 0
    /// In double precision, because the deviations are small.
    private var sums = SIMD4<Double>.zero
    private var squares = SIMD4<Double>.zero

    init(_ pile: SaturationPile, channel: Int) {
        self.channel = channel
        isBlurred = pile.isBlurred
        let half = Float(pile.reach) * 0.6
        let bins = Float(SaturationPile.bins)
        range = (Float(pile.middle) - half) / bins...(Float(pile.middle) + half + 1) / bins
    }

    /// Adds a block's mean red, green and blue, as shares of white, if it belongs to the pile.
    mutating func add(_ means: SIMD4<Float>) {
        guard range.contains(means[channel]) else { return }
        blocks += 1
        let precise = SIMD4<Double>(means)
        sums += precise
        squares += precise * precise
        // In usual light green is the brightest, so only equally bright red or blue is evidence.
        let brightest = channel == 0 ? means[2] : channel == 2 ? means[0] : max(means[0], means[2])
        if brightest >= SaturationPile.lowest { bright += 1 }
    }

    /// With few blocks, only an unblurred pile counts as saturation.
    var isSaturation: Bool {
        guard blocks >= Self.minBlocks else { return !isBlurred }
        if bright * 4 >= blocks { return true }
        let own = variation(channel)
        return (0..<3).contains { $0 != channel && variation($0) >= Self.minRatio * own }
    }

    private static let minBlocks = 6
    /// Minimum ratio to another channel's variation. On an even surface, noise alone makes red and blue vary up to
    /// three times as much as green, which has twice as many samples and more light.
    private static let minRatio = 5.0

    private func variation(_ channel: Int) -> Double {
        let mean = sums[channel] / Double(blocks)
        guard mean > 0 else { return 0 }
        return max(squares[channel] / Double(blocks) - mean * mean, 1e-8).squareRoot() / mean
    }
}
