internal import Synchronization

/// The series of one metric by label values, limited in number.
final class SeriesTable<Value: Sendable>: Sendable {
    private let series = Mutex<[[String]: Value]>([:])
    private let labelCount: Int
    private let limit: Int
    private let zero: Value

    /// In characters.
    private static var maxLabelLength: Int { 120 }

    init(_ descriptor: MetricDescriptor, limit: Int, zero: Value) {
        labelCount = descriptor.labels.count
        self.limit = limit
        self.zero = zero
        // A metric without labels starts at zero, because a rate needs the initial value.
        if descriptor.labels.isEmpty { series.withLock { $0[[]] = zero } }
    }

    /// Changes or creates a series. If the table is full, the series with all labels `other` takes new ones.
    func change(_ labels: [String], _ body: (inout Value) -> Void) {
        let key = Self.key(labels, count: labelCount)
        series.withLock { series in
            let isFull = series.count >= limit && series[key] == nil
            body(&series[isFull ? Array(repeating: "other", count: labelCount) : key, default: zero])
        }
    }

    /// Replaces all series, up to the limit.
    func replace(_ values: [([String], Value)]) {
        var all: [[String]: Value] = [:]
        for (labels, value) in values.prefix(limit) { all[Self.key(labels, count: labelCount)] = value }
        series.withLock { $0 = all }
    }

    var all: [([String], Value)] {
        series.withLock { $0.map { ($0.key, $0.value) } }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    /// Truncates long values and pads to the number of labels.
    private static func key(_ labels: [String], count: Int) -> [String] {
        var key = labels.prefix(count).map { $0.utf8.count > maxLabelLength ? String($0.prefix(maxLabelLength)) : $0 }
        while key.count < count { key.append("") }
        return key
    }
}
