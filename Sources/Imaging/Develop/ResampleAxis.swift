/// How one edge of a picture is brought from `input` to `output` samples: whole samples are averaged in twos, fours …
/// while that leaves enough of them, and a cubic filter does the rest.
///
/// The filter is the cubic convolution kernel with a = -1/2 (R. G. Keys, 1981, "Cubic convolution interpolation for
/// digital image processing"), widened by the ratio when reducing. Beyond the edge the last sample repeats.
struct ResampleAxis: Equatable {
    let input: Int
    let output: Int
    /// Copies of the first sample put before it (0 or 1), so that averaging begins where the squares of pixels do.
    let lead: Int
    /// Samples averaged into one before filtering, as a power of two.
    let boxShift: Int
    /// Samples after averaging.
    let boxed: Int
    let taps: Int
    /// The first averaged sample each output sample reads; `taps` of them lie inside.
    let starts: [Int32]
    /// `taps` weights an output sample, adding up to 1.
    let weights: [Float]

    /// The largest shift that leaves the filter enough to do.
    static func boxShift(input: Int, output: Int) -> Int {
        let ratio = Double(input) / Double(output)
        var shift = 0
        while ratio / Double(1 << shift) >= 2.8 { shift += 1 }
        return shift
    }

    /// - Parameter boxShift: at most `boxShift(input:output:)`.
    init(input: Int, output: Int, boxShift shift: Int, lead: Int = 0) {
        self.input = input
        self.output = output
        // Without averaging there is nothing to align.
        self.lead = shift == 0 ? 0 : lead
        let ratio = Double(input) / Double(output)
        boxShift = shift
        boxed = (input + self.lead + (1 << shift) - 1) >> shift
        let step = ratio / Double(1 << shift)
        let scale = max(step, 1)
        // A sample exactly at the filter's end has no weight.
        taps = min(Int((4 * scale).rounded(.up)), boxed)
        var starts: [Int32] = []
        var weights: [Float] = []
        starts.reserveCapacity(output)
        weights.reserveCapacity(output * taps)
        var row = [Double](repeating: 0, count: taps)
        for i in 0..<output {
            let centre = (Double(i) + 0.5) * step + Double(self.lead) / Double(1 << shift) - 0.5
            starts.append(Int32(Self.weigh(&row, centre: centre, scale: scale, boxed: boxed)))
            let sum = row.reduce(0, +)
            for weight in row { weights.append(Float(weight / sum)) }
        }
        self.starts = starts
        self.weights = weights
    }

    /// - Parameter row: becomes the weights of one output sample.
    /// - Returns: the first sample they are for.
    private static func weigh(_ row: inout [Double], centre: Double, scale: Double, boxed: Int) -> Int {
        let first = Int((centre - 2 * scale).rounded(.up))
        let last = Int((centre + 2 * scale).rounded(.down))
        let start = min(max(first, 0), boxed - row.count)
        for tap in row.indices { row[tap] = 0 }
        for i in first...max(first, last) {
            let inside = min(max(i, 0), boxed - 1)
            row[min(max(inside - start, 0), row.count - 1)] += keys((Double(i) - centre) / scale)
        }
        return start
    }

    private static func keys(_ distance: Double) -> Double {
        let x = distance.magnitude
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }

    /// The input samples that output samples `range` are made of.
    func inputs(of range: Range<Int>) -> Range<Int> {
        guard let first = range.first, let last = range.last else { return 0..<0 }
        let start = (Int(starts[first]) << boxShift) - lead
        let end = ((Int(starts[last]) + taps) << boxShift) - lead
        return max(start, 0)..<min(end, input)
    }

    /// Taps in groups of six, as many as most previews need: work without a branch.
    static let group = 6
    var groupsOfTaps: Int { (taps + Self.group - 1) / Self.group }

    /// The weights times `scale`, filled up with 0 to whole groups.
    func groupedWeights(scale: Float) -> [Float] {
        let most = Self.group * groupsOfTaps
        var grouped = [Float](repeating: 0, count: most * output)
        for i in 0..<output {
            for tap in 0..<taps { grouped[i * most + tap] = weights[i * taps + tap] * scale }
        }
        return grouped
    }
}
