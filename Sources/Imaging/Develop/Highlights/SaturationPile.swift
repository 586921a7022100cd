/// Where the brightest samples of a channel pile up, in a histogram of them.
///
/// Saturated samples pile up: many more lie at their level than just below it, and next to none above it. After lossy
/// compression the level is blurred: its samples lie evenly above and below it, up to a few per cent away.
struct SaturationPile: Equatable {
    /// Histogram bins from black to white.
    static let bins = 1024
    /// The lowest level that is searched, as a share of white.
    static let lowest: Float = 0.75

    /// Half the widths that are tried, in bins. The first is that of samples that nothing blurred.
    private static let reaches = [2, 6, 12, 20, 28]

    /// The bin in the middle, and the bins on either side of it that belong to the pile.
    let middle: Int
    let reach: Int
    /// From here on a sample counts as saturated, as a share of white; 1 if the pile lies at white.
    let share: Float

    /// A pile that is wider than a sensor's own. A smooth bright surface can look like it.
    var isBlurred: Bool { reach > Self.reaches[0] }

    /// The narrowest pile that holds all but a few of the brightest samples; nil if there is none.
    ///
    /// - Parameter counts: the histogram, `bins` long. The last bin is white and above.
    init?(_ counts: [Int32]) {
        guard let found = Self.reaches.lazy.compactMap({ SaturationPile(counts, reach: $0) }).first else { return nil }
        self = found
    }

    private init?(_ counts: [Int32], reach: Int) {
        let first = Int(Float(Self.bins) * Self.lowest) + reach
        func sum(_ range: Range<Int>) -> Int { counts[range.clamped(to: 0..<Self.bins)].reduce(0) { $0 + Int($1) } }
        func mass(_ bin: Int) -> Int { sum(bin - reach..<bin + reach + 1) }
        // Sums that slide along the histogram; the first of the largest wins.
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
    /// How far a blurred pile reaches at most, in bins.
    private static let tail = 28

    /// The bin below which lies a twentieth of a pile, if as many samples as elsewhere are left out.
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
