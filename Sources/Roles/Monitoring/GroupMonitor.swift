public import Broker
public import Metrics
internal import Synchronization

/// Rebalances of consumer groups, and how far behind the groups are, as metrics.
public final class GroupMonitor: Sendable {
    private let rebalances: Counter
    private let lag: Gauge
    private let written: Counter
    private let readiness: Readiness?
    /// Groups that this process has to join, and that have not assigned it partitions yet.
    private let missing: Mutex<Set<String>>
    private let groups: Set<String>

    /// The most partitions, of all topics together, that have a lag of their own.
    private static let maxPartitions = 4096

    /// - Parameters:
    ///   - registry: holds the metrics.
    ///   - groups: the groups this process joins.
    ///   - readiness: meets `assigned` while each of the groups has assigned its partitions to this process.
    public init(_ registry: MetricRegistry, groups: [String] = [], readiness: Readiness? = nil) {
        self.readiness = readiness
        self.groups = Set(groups)
        missing = Mutex(Set(groups))
        rebalances = registry.counter(
            "rawmill_rebalances_total", "Times that partitions came, went, or were lost.", labels: ["group", "change"])
        lag = registry.gauge(
            "rawmill_consumer_lag", "Records written that the workers' group has not finished.",
            labels: ["topic", "partition"], limit: Self.maxPartitions)
        written = registry.counter(
            "rawmill_topic_records_total", "Records ever written to a topic: its partitions' next offsets, added up.",
            labels: ["topic"])
        for group in groups {
            for change in ["assigned", "revoked", "lost"] { rebalances.add(0, [group, change]) }
        }
        if !groups.isEmpty { readiness?.setUnmet(.assigned, "not in its groups yet") }
    }

    /// Reports that the group assigned partitions to this member. These may be none, if there are more members than
    /// partitions.
    public func assigned(group: String) {
        rebalances.add(1, [group, "assigned"])
        let isInAll = missing.withLock { missing in
            missing.remove(group)
            return missing.isEmpty
        }
        if isInAll { readiness?.setMet(.assigned) }
    }

    /// Reports that the group took partitions from this member.
    ///
    /// - Parameter lost: true if another member may have had them for some time.
    public func revoked(group: String, lost: Bool) {
        rebalances.add(1, [group, lost ? "lost" : "revoked"])
        guard groups.contains(group) else { return }
        missing.withLock { _ = $0.insert(group) }
        readiness?.setUnmet(
            .assigned,
            lost ? "its group took it for gone, and gave its share to others" : "its group is sharing out anew")
    }

    /// Reads from the broker how far groups are in topics, again and again, until the task is cancelled. During an
    /// outage the lag stays as it was.
    ///
    /// - Parameters:
    ///   - topics: the topics to read.
    ///   - group: the group that consumes a topic.
    public func watch(
        _ transport: any Transport, topics: [String], group: @Sendable (_ topic: String) -> String,
        every interval: Duration = .seconds(10)
    ) async {
        var known: [String: [([String], Double)]] = [:]
        while !Task.isCancelled {
            for topic in topics {
                guard let lags = try? await lags(transport, topic, group(topic)) else { continue }
                known[topic] = lags
            }
            lag.replace(known.values.flatMap { $0 })
            try? await Task.sleep(for: interval)
        }
    }

    /// Reads committed offsets first, so that records written in between count as not finished.
    private func lags(_ transport: any Transport, _ topic: String, _ group: String) async throws -> [([String], Double)]
    {
        let committed = try await transport.committed(group: group, topic: topic)
        let written = try await transport.watermarks(topic: topic)
        self.written.set(Double(written.values.reduce(0) { $0 + $1.upperBound }), [topic])
        return written.map { partition, range in
            let next = max(committed[partition] ?? range.lowerBound, range.lowerBound)
            return ([topic, partition.description], Double(max(0, range.upperBound - next)))
        }
    }
}
