/// A metric that goes up and down.
public final class Gauge: MetricFamily {
    private let descriptor: MetricDescriptor
    private let table: SeriesTable<Double>

    init(_ descriptor: MetricDescriptor, limit: Int) {
        self.descriptor = descriptor
        table = SeriesTable(descriptor, limit: limit, zero: 0)
    }

    var name: String { descriptor.name }

    /// Sets a series.
    public func set(_ value: Double, _ labels: [String] = []) { table.change(labels) { $0 = value } }

    /// Adds to a series.
    public func add(_ amount: Double, _ labels: [String] = []) { table.change(labels) { $0 += amount } }

    /// Replaces all series; those missing in `values` disappear.
    public func replace(_ values: [([String], Double)]) { table.replace(values) }

    func write(to text: inout MetricText) {
        text.header(descriptor)
        for (labels, value) in table.all { text.sample(descriptor.name, zip(descriptor.labels, labels), value) }
    }
}
