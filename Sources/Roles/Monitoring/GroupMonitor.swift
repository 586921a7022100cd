public import Broker
public import Metrics
internal import Synchronization

/// What happens to consumer groups, and how far behind they are.
public final class GroupMonitor: Sendable {
    private let rebalances: Counter
    private let lag: Gauge
    private let written: Counter
    private let readiness: Readiness?
    /// Groups that this process has to be in, and is not.
    private let missing: Mutex<Set<String>>

    /// Partitions of all topics together that are shown.
    private static let mostPartitions = 4096

    /// - Parameters:
    ///   - groups: those this process joins; it is assigned when each of them gave it its share.
    ///   - readiness: is told so.
    public init(_ registry: MetricRegistry, groups: [String] = [], readiness: Readiness? = nil) {
        self.readiness = readiness
        missing = Mutex(Set(groups))
        rebalances = registry.counter(
            "rawmill_rebalances_total", "Times that partitions came, went, or were lost.", labels: ["group", "change"])
        lag = registry.gauge(
            "rawmill_consumer_lag", "Records written that the workers' group has not finished.",
            labels: ["topic", "partition"], limit: Self.mostPartitions)
        written = registry.counter(
            "rawmill_topic_records_total", "Records ever written to a topic: its partitions' next offsets, added up.",
            labels: ["topic"])
        for group in groups {
            for change in ["assigned", "revoked", "lost"] { rebalances.add(0, [group, change]) }
        }
        if !groups.isEmpty { readiness?.lacks(.assigned, "not in its groups yet") }
    }

    /// The group gave this member its share, which may be none where it has more members than partitions.
    public func assigned(group: String) {
        rebalances.add(1, [group, "assigned"])
        let isInAll = missing.withLock { missing in
            missing.remove(group)
            return missing.isEmpty
        }
        if isInAll { readiness?.met(.assigned) }
    }

    /// - Parameter lost: another member may have had them for some time.
    public func revoked(group: String, lost: Bool) {
        rebalances.add(1, [group, lost ? "lost" : "revoked"])
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
        self.written.set(Double(written.values.reduce(0) { $0 + $1.upperBound }), [topic])
        return written.map { partition, range in
            let next = max(committed[partition] ?? range.lowerBound, range.lowerBound)
            return ([topic, partition.description], Double(max(0, range.upperBound - next)))
        }
    }
}
