internal import Synchronization

/// The metrics of a process, exported for Prometheus.
///
/// Each metric has a limited number of series, because label values may come from outside and must not exhaust memory.
/// Counting takes a short lock per metric.
public final class MetricRegistry: Sendable {
    private let families = Mutex<[any MetricFamily]>([])

    /// Creates an empty registry.
    public init() {}

    /// Adds a counter. Its name should end in `_total`.
    public func counter(_ name: String, _ help: String, labels: [String] = [], limit: Int = 200) -> Counter {
        insert(Counter(MetricDescriptor(name, help, kind: .counter, labels: labels), limit: limit))
    }

    /// Adds a gauge.
    public func gauge(_ name: String, _ help: String, labels: [String] = [], limit: Int = 200) -> Gauge {
        insert(Gauge(MetricDescriptor(name, help, kind: .gauge, labels: labels), limit: limit))
    }

    /// Adds a histogram.
    ///
    /// - Parameter bounds: upper bounds of the buckets, increasing, without the implied infinity.
    public func histogram(
        _ name: String, _ help: String, labels: [String] = [], bounds: [Double], limit: Int = 50
    ) -> Histogram {
        insert(Histogram(MetricDescriptor(name, help, kind: .histogram, labels: labels), bounds: bounds, limit: limit))
    }

    /// All metrics in Prometheus' text format 0.0.4, in order of creation.
    public var text: [UInt8] {
        var text = MetricText()
        for family in families.withLock({ $0 }) { family.write(to: &text) }
        return text.bytes
    }

    /// Content type of `text`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private func insert<Some: MetricFamily>(_ family: Some) -> Some {
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "\(family.name) exists already")
            families.append(family)
        }
        return family
    }
}

protocol MetricFamily: Sendable {
    var name: String { get }
    func write(to text: inout MetricText)
}
