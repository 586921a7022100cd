internal import Synchronization

/// The metrics of a process, and their text for Prometheus.
///
/// Each metric's number of series is bounded: labels come from outside now and then, and a monitor must not be what
/// eats the memory. Counting costs one short lock of that metric.
public final class MetricRegistry: Sendable {
    private let families = Mutex<[any Family]>([])

    public init() {}

    /// A number that only grows; its name ends in `_total`.
    public func counter(_ name: String, _ help: String, labels: [String] = [], limit: Int = 200) -> Counter {
        insert(Counter(Heading(name, help, kind: .counter, labels: labels), limit: limit))
    }

    /// A number that goes up and down.
    public func gauge(_ name: String, _ help: String, labels: [String] = [], limit: Int = 200) -> Gauge {
        insert(Gauge(Heading(name, help, kind: .gauge, labels: labels), limit: limit))
    }

    /// How often a value was how large.
    ///
    /// - Parameter bounds: upper ends of the buckets, growing; the last one, infinity, is implied.
    public func histogram(
        _ name: String, _ help: String, labels: [String] = [], bounds: [Double], limit: Int = 50
    ) -> Histogram {
        insert(Histogram(Heading(name, help, kind: .histogram, labels: labels), bounds: bounds, limit: limit))
    }

    /// All of them in the text format 0.0.4, in the order they were made.
    public var text: [UInt8] {
        var text = MetricText()
        for family in families.withLock({ $0 }) { family.write(to: &text) }
        return text.bytes
    }

    /// The content type of `text`.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private func insert<Some: Family>(_ family: Some) -> Some {
        families.withLock { families in
            precondition(!families.contains { $0.name == family.name }, "\(family.name) is there already")
            families.append(family)
        }
        return family
    }
}

protocol Family: Sendable {
    var name: String { get }
    func write(to text: inout MetricText)
}
