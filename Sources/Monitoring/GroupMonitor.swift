public import Broker
public import Metrics

/// What befalls consumer groups, and how far they are behind.
public final class GroupMonitor: Sendable {
    private let rebalances: Counter
    private let partitions: Gauge
    private let lag: Gauge
    private let end: Gauge

    /// Partitions of all topics together that are shown.
    private static let mostPartitions = 4096

    public init(_ registry: MetricRegistry) {
        rebalances = registry.counter(
            "rawmill_rebalances_total", "Times that partitions came, went, or were lost.", labels: ["group", "change"])
        partitions = registry.gauge("rawmill_assigned_partitions", "Partitions this member has.", labels: ["group"])
        lag = registry.gauge(
            "rawmill_consumer_lag", "Records written that the workers' group has not finished.",
            labels: ["topic", "partition"], limit: Self.mostPartitions)
        end = registry.gauge(
            "rawmill_topic_records", "Offset of the next record of a topic, its partitions added up.",
            labels: ["topic"])
    }

    public func assigned(group: String, partitions count: Int) {
        rebalances.add(1, [group, "assigned"])
        partitions.add(Double(count), [group])
    }

    /// - Parameter lost: another member may have had them for some time.
    public func revoked(group: String, partitions count: Int, lost: Bool) {
        rebalances.add(1, [group, lost ? "lost" : "revoked"])
        partitions.add(-Double(count), [group])
    }

    /// Asks the broker how far a group is on topics, again and again, until the task is cancelled. An outage leaves the
    /// last answer.
    public func watch(
        _ transport: any Transport, topics: [String], group: @Sendable (_ topic: String) -> String,
        every pause: Duration = .seconds(10)
    ) async {
        var known: [String: [([String], Double)]] = [:]
        while !Task.isCancelled {
            for topic in topics {
                guard let lags = try? await lags(transport, topic, group(topic)) else { continue }
                known[topic] = lags
            }
            lag.replace(known.values.flatMap { $0 })
            try? await Task.sleep(for: pause)
        }
    }

    /// Committed first: what is written in between counts as not finished.
    private func lags(_ transport: any Transport, _ topic: String, _ group: String) async throws -> [([String], Double)]
    {
        let committed = try await transport.committed(group: group, topic: topic)
        let written = try await transport.watermarks(topic: topic)
        end.set(Double(written.values.reduce(0) { $0 + $1.upperBound }), [topic])
        return written.map { partition, range in
            let next = max(committed[partition] ?? range.lowerBound, range.lowerBound)
            return ([topic, partition.description], Double(max(0, range.upperBound - next)))
        }
    }
}
