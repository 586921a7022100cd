import ColourScience
import Pixels

/// The white balance of a camera that recorded none, by its own preview: what the preview's middle tones look like says
/// which light the camera took for white.
///
/// An estimate from the samples alone is where the search begins. Each step renders a survey of the picture, compares
/// the mean light of its cells with the preview's, and divides the difference out of the balance.
struct BalanceMatch {
    /// The factors of red, green and blue, green's 1; nil if the preview does not say more than the estimate.
    let whiteBalance: [Float]?

    private static let steps = 6
    /// A step of a camera's colour becomes about this many on display, by the tone curve.
    private static let slope: Float = 1.4
    /// How far a factor may be from the estimate's: two stops, which is more than from candle light to shade.
    private static let range: ClosedRange<Float> = 0.25...4

    /// - Parameters:
    ///   - estimate: facts with the estimated balance.
    ///   - match: brings the rendering to the preview's brightness with the balance of other facts.
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
