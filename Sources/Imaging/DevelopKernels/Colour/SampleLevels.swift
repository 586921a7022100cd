import PictureFormat
package import Pixels

/// Converts sensor counts to balanced light: subtracts black, and maps saturation to the channel's white balance
/// factor.
package struct SampleLevels: Sendable {
    package let black: BlackLevels
    /// Light per count of red, green, blue.
    package let scale: [Float]
    /// Balanced light of a saturated sample, by channel.
    package let clip: [Float]
    /// Minimum light of a sample near saturation in any channel, in counts above black, and the darkest black.
    private let highlight: (light: Float, black: Float)

    /// Proves that there are three values of each kind, and that every white level is above the mean black level: nil
    /// otherwise.
    ///
    /// - Parameters:
    ///   - multipliers: of the white balance.
    ///   - saturation: share of the white level at which each channel saturates.
    package init?(facts: SensorFacts, multipliers: [Float], saturation: [Float] = [1, 1, 1]) {
        let mean = facts.black.values.reduce(0, +) / Float(facts.black.values.count)
        guard facts.white.count == 3, multipliers.count == 3, saturation.count == 3,
            facts.white.allSatisfy({ $0 > mean })
        else { return nil }
        black = facts.black
        scale = (0..<3).map { multipliers[$0] / (facts.white[$0] - mean) }
        clip = zip(multipliers, saturation).map { $0 * $1 }
        let lowest = zip(scale, clip).map { HighlightReconstruction.onset * $1 / $0 }.min() ?? 0
        highlight = (lowest, facts.black.values.min() ?? 0)
    }

    /// Counts below this are not near saturation in any channel. `gain` is an upper bound of the factors of light.
    package func highlightCount(gain: Float = 1) -> UInt16 {
        UInt16(min(max(highlight.light / gain + highlight.black, 0), 65_535))
    }

    /// Black level of the plane's sample `x`, `y`; neither is negative.
    package func blackLevel(x: Int, y: Int) -> Float {
        black.values[y % black.repeatSize.height * black.repeatSize.width + x % black.repeatSize.width]
    }
}
