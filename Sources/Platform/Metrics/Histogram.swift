/// A metric that counts observed values in buckets.
public final class Histogram: MetricFamily {
    private struct Tally {
        /// Per bucket, not cumulative. The last bucket has no upper bound.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let descriptor: MetricDescriptor
    private let bounds: [Double]
    private let table: SeriesTable<Tally>

    init(_ descriptor: MetricDescriptor, bounds: [Double], limit: Int) {
        precondition(
            zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "the bounds of \(descriptor.name) must increase")
        self.descriptor = descriptor
        self.bounds = bounds
        table = SeriesTable(descriptor, limit: limit, zero: Tally(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var name: String { descriptor.name }

    /// Counts a value in the series with these label values, in order. Ignores non-finite values.
    public func observe(_ value: Double, _ labels: [String] = []) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        table.change(labels) { tally in
            tally.counts[bucket] += 1
            tally.sum += value
        }
    }

    func write(to text: inout MetricText) {
        text.header(descriptor)
        for (labels, tally) in table.all {
            let own = Array(zip(descriptor.labels, labels))
            var count: UInt64 = 0
            for (bound, more) in zip(bounds + [.infinity], tally.counts) {
                count += more
                text.sample(descriptor.name + "_bucket", own + [("le", MetricText.number(bound))], Double(count))
            }
            text.sample(descriptor.name + "_sum", own, tally.sum)
            text.sample(descriptor.name + "_count", own, Double(count))
        }
    }
}
