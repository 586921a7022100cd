/// A number that goes up and down.
public final class Gauge: Family {
    private let heading: Heading
    private let table: SeriesTable<Double>

    init(_ heading: Heading, limit: Int) {
        self.heading = heading
        table = SeriesTable(heading, limit: limit, zero: 0)
    }

    var name: String { heading.name }

    public func set(_ value: Double, _ labels: [String] = []) { table.change(labels) { $0 = value } }

    public func add(_ amount: Double, _ labels: [String] = []) { table.change(labels) { $0 += amount } }

    /// These series and no others: what is gone elsewhere goes here too.
    public func replace(_ values: [([String], Double)]) { table.replace(values) }

    func write(to text: inout MetricText) {
        text.heading(heading)
        for (labels, value) in table.all { text.sample(heading.name, zip(heading.labels, labels), value) }
    }
}
