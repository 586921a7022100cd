/// Resampling of one edge from `input` to `output` samples: averages of twos, fours and so on, then a filter.
///
/// The initializer proves what the filters assume: the taps of every output lie inside the averaged samples.
package struct ResampleAxis: Equatable, Sendable {
    package let input: Int
    package let output: Int
    /// Copies of the first sample before it, 0 or 1, so that averages start where the squares of tiles do.
    package let lead: Int
    /// Base-2 logarithm of the number of samples averaged into one.
    package let boxShift: Int
    /// Number of averaged samples.
    package let boxed: Int
    /// Averaged samples per output.
    package let taps: Int
    /// First averaged sample of each output, ascending.
    package let starts: [Int32]
    /// `taps` weights for each output.
    package let weights: [Float]

    /// Maps one sample to itself.
    static let identity = ResampleAxis()

    private init() {
        (input, output, lead, boxShift, boxed, taps) = (1, 1, 0, 0, 1, 1)
        (starts, weights) = ([0], [1])
    }

    /// Number of averages of 2ˢʰⁱᶠᵗ samples.
    package static func boxed(input: Int, lead: Int, shift: Int) -> Int { (input + lead + (1 << shift) - 1) >> shift }

    /// Proves that there are `taps` weights for each output, and that all taps lie inside the averaged samples: nil
    /// otherwise.
    package init?(
        input: Int, output: Int, lead: Int, boxShift: Int, taps: Int, starts: [Int32], weights: [Float]
    ) {
        guard (1...Self.maxSamples).contains(input), (1...Self.maxSamples).contains(output), (0...1).contains(lead),
            (0...16).contains(boxShift)
        else { return nil }
        let boxed = Self.boxed(input: input, lead: lead, shift: boxShift)
        guard (1...boxed).contains(taps), starts.count == output, weights.count == output * taps,
            starts.allSatisfy({ (0...boxed - taps).contains(Int($0)) }),
            zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 })
        else { return nil }
        self.input = input
        self.output = output
        self.lead = lead
        self.boxShift = boxShift
        self.boxed = boxed
        self.taps = taps
        self.starts = starts
        self.weights = weights
    }

    private static let maxSamples = 1 << 24

    /// Input samples of a range of outputs.
    package func inputs(of range: Range<Int>) -> Range<Int> {
        guard let first = range.first, let last = range.last else { return 0..<0 }
        let start = (Int(starts[first]) << boxShift) - lead
        let end = ((Int(starts[last]) + taps) << boxShift) - lead
        return max(start, 0)..<min(end, input)
    }

    /// Taps are computed in groups of six, enough for most previews, so that a group has no branch.
    static let group = 6
    var tapGroups: Int { (taps + Self.group - 1) / Self.group }

    /// Weights times `scale`, padded with 0 to whole groups.
    func groupedWeights(scale: Float) -> [Float] {
        let padded = Self.group * tapGroups
        var grouped = [Float](repeating: 0, count: padded * output)
        for i in 0..<output {
            for tap in 0..<taps { grouped[i * padded + tap] = weights[i * taps + tap] * scale }
        }
        return grouped
    }
}
