/// How often a value was how large, in buckets.
public final class Histogram: Family {
    private struct Tally {
        /// By bucket, the last one above every bound; not summed up.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let heading: Heading
    private let bounds: [Double]
    private let table: SeriesTable<Tally>

    init(_ heading: Heading, bounds: [Double], limit: Int) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "the bounds of \(heading.name) must grow")
        self.heading = heading
        self.bounds = bounds
        table = SeriesTable(heading, limit: limit, zero: Tally(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    var name: String { heading.name }

    /// - Parameter value: what is no number counts nothing.
    public func observe(_ value: Double, _ labels: [String] = []) {
        guard value.isFinite else { return }
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        table.change(labels) { tally in
            tally.counts[bucket] += 1
            tally.sum += value
        }
    }

    func write(to text: inout MetricText) {
        text.heading(heading)
        for (labels, tally) in table.all {
            let own = Array(zip(heading.labels, labels))
            var count: UInt64 = 0
            for (bound, more) in zip(bounds + [.infinity], tally.counts) {
                count += more
                text.sample(heading.name + "_bucket", own + [("le", MetricText.number(bound))], Double(count))
            }
            text.sample(heading.name + "_sum", own, tally.sum)
            text.sample(heading.name + "_count", own, Double(count))
        }
    }
}
