/// A metric that only grows.
public final class Counter: MetricFamily {
    private let descriptor: MetricDescriptor
    private let table: SeriesTable<Double>

    init(_ descriptor: MetricDescriptor, limit: Int) {
        self.descriptor = descriptor
        table = SeriesTable(descriptor, limit: limit, zero: 0)
    }

    var name: String { descriptor.name }

    /// Increases the series with these label values, in order. Ignores negative and non-finite amounts.
    public func add(_ amount: Double = 1, _ labels: [String] = []) {
        guard amount.isFinite, amount >= 0 else { return }
        table.change(labels) { $0 += amount }
    }

    /// Sets a total that is counted elsewhere. It may decrease when the source restarts.
    public func set(_ total: Double, _ labels: [String] = []) {
        guard total.isFinite, total >= 0 else { return }
        table.change(labels) { $0 = total }
    }

    func write(to text: inout MetricText) {
        text.header(descriptor)
        for (labels, value) in table.all { text.sample(descriptor.name, zip(descriptor.labels, labels), value) }
    }
}
