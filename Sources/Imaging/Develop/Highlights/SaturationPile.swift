/// The level at which a channel's brightest samples pile up in a histogram.
///
/// Many more saturated samples lie at their level than just below it, and almost none above it. Lossy compression blurs
/// the level: samples lie evenly above and below it, up to a few per cent away.
struct SaturationPile: Equatable {
    /// Histogram bins from black to white.
    static let bins = 1024
    /// Lowest searched level, as a share of white.
    static let lowest: Float = 0.75

    /// Half widths to try, in bins. The first is that of unblurred samples.
    private static let reaches = [2, 6, 12, 20, 28]

    /// The bin in the middle, and the number of bins on either side.
    let middle: Int
    let reach: Int
    /// Share of white from which samples count as saturated; 1 if the pile is at white.
    let share: Float

    /// Wider than a sensor's own pile. A smooth bright surface can look like it.
    var isBlurred: Bool { reach > Self.reaches[0] }

    /// The narrowest pile that holds all but a few of the brightest samples; nil if there is none. The histogram has
    /// `bins` bins; the last is white and above.
    init?(_ counts: [Int32]) {
        guard let found = Self.reaches.lazy.compactMap({ SaturationPile(counts, reach: $0) }).first else { return nil }
        self = found
    }

    private init?(_ counts: [Int32], reach: Int) {
        let first = Int(Float(Self.bins) * Self.lowest) + reach
        func sum(_ range: Range<Int>) -> Int { counts[range.clamped(to: 0..<Self.bins)].reduce(0) { $0 + Int($1) } }
        func mass(_ bin: Int) -> Int { sum(bin - reach..<bin + reach + 1) }
        // Sliding sums along the histogram; the first of the largest wins.
        var (middle, pile, current) = (first, mass(first), mass(first))
        for bin in (first + 1)..<Self.bins {
            current -= Int(counts[bin - reach - 1])
            if bin + reach < Self.bins { current += Int(counts[bin + reach]) }
            if current > pile { (middle, pile) = (bin, current) }
        }
        let above = sum(min(max(middle + reach + 1, middle + 10), Self.bins)..<Self.bins)
        let below = max(first, middle - reach - 58)..<max(first, middle - reach - 10)
        let perBin = below.isEmpty ? 0 : sum(below) / below.count
        let timesExpected = reach > Self.reaches[0] ? 3 : 8
        guard pile >= Self.minSamples, pile >= timesExpected * (2 * reach + 1) * perBin, above * 20 <= pile else {
            return nil
        }
        self.middle = middle
        self.reach = reach
        let edge = Self.edge(counts, from: max(middle - Self.tail, first - reach), to: middle, pile, perBin)
        share = edge + Self.whiteBins >= Self.bins ? 1 : Float(edge) / Float(Self.bins)
    }

    private static let minSamples = 60
    /// A pile this close to white is at white.
    private static let whiteBins = 12
    /// Maximum reach of a blurred pile, in bins.
    private static let tail = 28

    /// The bin with a twentieth of the pile below it, not counting as many samples as elsewhere.
    private static func edge(_ counts: [Int32], from start: Int, to end: Int, _ pile: Int, _ perBin: Int) -> Int {
        var (bin, sum) = (start, 0)
        while bin < end {
            sum = max(sum + Int(counts[bin]) - perBin, 0)
            if sum * 20 >= pile { return bin }
            bin += 1
        }
        return end
    }
}
