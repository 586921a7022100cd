import DevelopKernels

/// Weights of resampling.
///
/// The filter is the cubic convolution kernel with a = -1/2 (R. G. Keys, 1981, "Cubic convolution interpolation for
/// digital image processing"), widened by the ratio for reduction. The last sample repeats beyond the edge.
extension ResampleAxis {
    /// The largest base-2 logarithm of averaged samples that leaves enough samples for the filter.
    static func boxShift(input: Int, output: Int) -> Int {
        let ratio = Double(input) / Double(output)
        var shift = 0
        while ratio / Double(1 << shift) >= 2.8 { shift += 1 }
        return shift
    }

    /// The shift is at most `boxShift(input:output:)`. The lead is 0 or 1 copies of the first sample before it, without
    /// effect unless samples are averaged.
    static func cubic(input: Int, output: Int, boxShift shift: Int, lead: Int = 0) -> ResampleAxis {
        let lead = shift == 0 ? 0 : lead
        let boxed = boxed(input: input, lead: lead, shift: shift)
        let step = Double(input) / Double(output) / Double(1 << shift)
        let scale = max(step, 1)
        // A sample exactly at the filter's end has no weight.
        let taps = min(Int((4 * scale).rounded(.up)), boxed)
        var starts: [Int32] = []
        var weights: [Float] = []
        starts.reserveCapacity(output)
        weights.reserveCapacity(output * taps)
        var row = [Double](repeating: 0, count: taps)
        for i in 0..<output {
            let centre = (Double(i) + 0.5) * step + Double(lead) / Double(1 << shift) - 0.5
            starts.append(Int32(computeWeights(&row, centre: centre, scale: scale, boxed: boxed)))
            let sum = row.reduce(0, +)
            for weight in row { weights.append(Float(weight / sum)) }
        }
        let axis = ResampleAxis(
            input: input, output: output, lead: lead, boxShift: shift, taps: taps, starts: starts, weights: weights)
        guard let axis else { preconditionFailure("taps lie inside the samples") }
        return axis
    }

    /// Computes the weights of one output sample in `row`. Returns the averaged sample of the first weight.
    private static func computeWeights(_ row: inout [Double], centre: Double, scale: Double, boxed: Int) -> Int {
        let first = Int((centre - 2 * scale).rounded(.up))
        let last = Int((centre + 2 * scale).rounded(.down))
        let start = min(max(first, 0), boxed - row.count)
        for tap in row.indices { row[tap] = 0 }
        for i in first...max(first, last) {
            let inside = min(max(i, 0), boxed - 1)
            row[min(max(inside - start, 0), row.count - 1)] += kernel((Double(i) - centre) / scale)
        }
        return start
    }

    private static func kernel(_ distance: Double) -> Double {
        let x = distance.magnitude
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        if x < 2 { return ((-0.5 * x + 2.5) * x - 4) * x + 2 }
        return 0
    }
}
