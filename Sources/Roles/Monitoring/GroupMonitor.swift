public import Broker
internal import Clock
public import Metrics
internal import Synchronization

/// Metrics of consumer groups' rebalances and lags.
public final class GroupMonitor: Sendable {
    private let rebalances: Counter
    private let lag: Gauge
    private let written: Counter
    private let readiness: Readiness?
    /// Groups that this process must join and that have not assigned it partitions yet.
    private let missing: Mutex<Set<String>>
    private let groups: Set<String>

    /// Maximum number of partitions with a separate lag, over all topics.
    private static let maxPartitions = 4096

    /// - Parameters:
    ///   - groups: the groups this process joins.
    ///   - readiness: meets `assigned` while every group has assigned partitions to this process.
    public init(_ registry: MetricRegistry, groups: [String] = [], readiness: Readiness? = nil) {
        self.readiness = readiness
        self.groups = Set(groups)
        missing = Mutex(Set(groups))
        rebalances = registry.counter(
            "rawmill_rebalances_total", "Number of times partitions were assigned, revoked or lost.",
            labels: ["group", "change"])
        lag = registry.gauge(
            "rawmill_consumer_lag", "Records that the workers' group has not finished.",
            labels: ["topic", "partition"], limit: Self.maxPartitions)
        written = registry.counter(
            "rawmill_topic_records_total", "Records ever written to a topic: the sum of its partitions' next offsets.",
            labels: ["topic"])
        for group in groups {
            for change in ["assigned", "revoked", "lost"] { rebalances.add(0, [group, change]) }
        }
        if !groups.isEmpty { readiness?.setUnmet(.assigned, "has not joined its groups yet") }
    }

    /// Reports that the group assigned partitions to this member: possibly none, if there are more members than
    /// partitions.
    public func assigned(group: String) {
        rebalances.add(1, [group, "assigned"])
        let isInAll = missing.withLock { missing in
            missing.remove(group)
            return missing.isEmpty
        }
        if isInAll { readiness?.setMet(.assigned) }
    }

    /// Reports that the group revoked this member's partitions. If `lost`, another member may have had them for some
    /// time.
    public func revoked(group: String, lost: Bool) {
        rebalances.add(1, [group, lost ? "lost" : "revoked"])
        guard groups.contains(group) else { return }
        missing.withLock { _ = $0.insert(group) }
        readiness?.setUnmet(
            .assigned,
            lost ? "its group considered it dead and reassigned its partitions" : "its group is rebalancing")
    }

    /// Reads the groups' offsets in the topics from the broker periodically, until the task is cancelled. During an
    /// outage the lag keeps its last value.
    public func watch(
        _ transport: any Transport, topics: [String], group: @Sendable (_ topic: String) -> String,
        every interval: Duration = .seconds(10)
    ) async {
        var known: [String: [([String], Double)]] = [:]
        await Periodic.run(every: interval) {
            for topic in topics {
                guard let lags = try? await lags(transport, topic, group(topic)) else { continue }
                known[topic] = lags
            }
            lag.replace(known.values.flatMap { $0 })
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
