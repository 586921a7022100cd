/// A number that only grows.
public final class Counter: Family {
    private let heading: Heading
    private let table: SeriesTable<Double>

    init(_ heading: Heading, limit: Int) {
        self.heading = heading
        table = SeriesTable(heading, limit: limit, zero: 0)
    }

    var name: String { heading.name }

    /// - Parameter amount: negative ones, and what is no number, count nothing.
    public func add(_ amount: Double = 1, _ labels: [String] = []) {
        guard amount.isFinite, amount >= 0 else { return }
        table.change(labels) { $0 += amount }
    }

    /// Sets what is counted elsewhere; a smaller number means that it began anew there.
    public func set(_ total: Double, _ labels: [String] = []) {
        guard total.isFinite, total >= 0 else { return }
        table.change(labels) { $0 = total }
    }

    func write(to text: inout MetricText) {
        text.heading(heading)
        for (labels, value) in table.all { text.sample(heading.name, zip(heading.labels, labels), value) }
    }
}
