internal import Synchronization

/// The series of one metric by their labels' values, at most so many.
final class SeriesTable<Value: Sendable>: Sendable {
    private let series = Mutex<[[String]: Value]>([:])
    private let labelCount: Int
    private let limit: Int
    private let zero: Value

    /// Longest value of a label, in characters.
    private static var longestLabel: Int { 120 }

    init(_ heading: Heading, limit: Int, zero: Value) {
        labelCount = heading.labels.count
        self.limit = limit
        self.zero = zero
        // A metric without labels is there from the beginning: a rate needs its zero.
        if heading.labels.isEmpty { series.withLock { $0[[]] = zero } }
    }

    /// Changes a series; made where there is none. What finds no room goes to the series whose every label is `other`.
    func change(_ labels: [String], _ body: (inout Value) -> Void) {
        let key = Self.key(labels, count: labelCount)
        series.withLock { series in
            let isFull = series.count >= limit && series[key] == nil
            body(&series[isFull ? Array(repeating: "other", count: labelCount) : key, default: zero])
        }
    }

    /// These series and no others. What finds no room is left out.
    func replace(_ values: [([String], Value)]) {
        var all: [[String]: Value] = [:]
        for (labels, value) in values.prefix(limit) { all[Self.key(labels, count: labelCount)] = value }
        series.withLock { $0 = all }
    }

    /// In the order of their labels.
    var all: [([String], Value)] {
        series.withLock { $0.map { ($0.key, $0.value) } }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    }

    /// As many values as labels.
    private static func key(_ labels: [String], count: Int) -> [String] {
        var key = labels.prefix(count).map { $0.utf8.count > longestLabel ? String($0.prefix(longestLabel)) : $0 }
        while key.count < count { key.append("") }
        return key
    }
}
