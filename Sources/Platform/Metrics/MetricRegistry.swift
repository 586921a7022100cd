internal import Synchronization

/// The metrics of a process, and their text for Prometheus.
///
/// The number of series of each metric is limited, because some labels come from outside and monitoring must not exhaust
/// the memory. Counting takes a short lock of the metric.
public final class MetricRegistry: Sendable {
    private let families = Mutex<[any MetricFamily]>([])

    /// No metrics.
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
    /// - Parameter bounds: the upper bounds of the buckets, increasing. The last one, infinity, is implied.
    public func histogram(
        _ name: String, _ help: String, labels: [String] = [], bounds: [Double], limit: Int = 50
    ) -> Histogram {
        insert(Histogram(MetricDescriptor(name, help, kind: .histogram, labels: labels), bounds: bounds, limit: limit))
    }

    /// All metrics in Prometheus' text format 0.0.4, in the order in which they were added.
    public var text: [UInt8] {
        var text = MetricText()
        for family in families.withLock({ $0 }) { family.write(to: &text) }
        return text.bytes
    }

    /// The content type of `text`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private func insert<Some: MetricFamily>(_ family: Some) -> Some {
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "\(family.name) exists already")
            families.append(family)
        }
        return family
    }
}

/// A metric with all its series.
protocol MetricFamily: Sendable {
    var name: String { get }
    func write(to text: inout MetricText)
}
