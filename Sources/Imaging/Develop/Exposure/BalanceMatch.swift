import ColourScience
import Pixels

/// White balance from the preview, for a camera that recorded none: the preview's middle tones show which light the
/// camera took for white.
///
/// Starts from an estimate by the samples. Each step renders a survey of the picture, compares its cells' mean light
/// with the preview's, and divides the balance by the difference.
struct BalanceMatch {
    /// Factors of red, green and blue, green's 1; nil if the preview does not improve the estimate.
    let whiteBalance: [Float]?

    private static let steps = 6
    /// Approximate slope of the tone curve from camera colour to display.
    private static let slope: Float = 1.4
    /// Factor relative to the estimate: two stops, which exceed the range from candle light to shade.
    private static let range: ClosedRange<Float> = 0.25...4

    /// `match` matches the rendering's brightness to the preview's, with the balance of the given facts.
    init(estimate: SensorFacts, match: (SensorFacts) -> BrightnessMatch?) {
        guard let start = estimate.whiteBalance, start.allSatisfy({ $0.isFinite && $0 > 0 }) else {
            whiteBalance = nil
            return
        }
        var facts = estimate
        var best: (difference: Float, balance: [Float]?) = (.infinity, nil)
        for step in 0...Self.steps {
            guard let found = match(facts), let cast = found.cast, let colour = found.agreement.colour else { break }
            if colour < best.difference { best = (colour, step == 0 ? nil : facts.whiteBalance) }
            let factors = (0..<3).map { DeterministicMath.pow(Double(cast[$0] / cast.y), Double(1 / Self.slope)) }
            facts.whiteBalance = zip(facts.whiteBalance ?? start, zip(factors, start)).map { now, pair in
                let (factor, first) = pair
                return min(max(now * Float(factor), first * Self.range.lowerBound), first * Self.range.upperBound)
            }
        }
        whiteBalance = best.balance
    }
}
