internal import Broker
internal import Concurrency

/// Sends requests to the cluster on its own thread. Requests take turns between attempts, so a cancelled one does not
/// wait for the others.
actor KafkaAdmin {
    private nonisolated let executor = ThreadExecutor(name: "kafka-admin")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    private let settings: KafkaSettings
    private let deadline: TransportDeadline
    /// The clients, by the group whose offsets they request. The one with the empty name makes all other requests.
    private var clients: [String: AdminClient] = [:]
    private static let maxClients = 8
    private var isClosed = false
    private var isInContact = false
    /// How long a request waits for a connection before it is repeated. The client keeps connecting in between, and a
    /// cancelled request does not wait for an absent cluster.
    private static let connectionWait = Duration.milliseconds(250)

    /// The pause between two attempts, in which other requests make theirs.
    private static let pause = Duration.milliseconds(100)

    init(_ settings: KafkaSettings, _ deadline: TransportDeadline) {
        self.settings = settings
        self.deadline = deadline
    }

    /// Kafka's cluster id. Needs a new client, because a client keeps the id of the first cluster that it saw.
    func clusterID() async throws(BrokerError) -> String {
        forget("")
        return try await perform { (client, time) throws(KafkaFault) in try client.clusterID(within: time) }
    }

    func partitions(of topic: String) async throws(BrokerError) -> [Int32] {
        let facts = try await perform { (client, time) throws(KafkaFault) in try client.metadata(within: time) }
        guard let partitions = facts.topics[topic], !partitions.isEmpty else { throw .unknownTopic(topic) }
        return partitions.sorted()
    }

    func watermarks(_ topic: String) async throws(BrokerError) -> [Int32: Range<Int64>] {
        let partitions = try await partitions(of: topic)
        return try await perform(about: topic) { (client, time) throws(KafkaFault) in
            try client.watermarks(topic, partitions, within: time)
        }
    }

    func committed(_ group: String, _ topic: String) async throws(BrokerError) -> [Int32: Int64] {
        let partitions = try await partitions(of: topic).map { TopicPartition(topic: topic, partition: $0) }
        let offsets = try await perform(for: group, about: topic) { (client, time) throws(KafkaFault) in
            try client.committed(partitions, within: time)
        }
        return Dictionary(uniqueKeysWithValues: offsets.map { ($0.key.partition, $0.value) })
    }

    /// Creates the missing topics, and returns once every partition of all topics has a leader.
    func create(_ topics: [Topic]) async throws(BrokerError) {
        let facts = try await perform { (client, time) throws(KafkaFault) in try client.metadata(within: time) }
        let missing = topics.filter { facts.topics[$0.name] == nil }.map { topic in
            NewTopic(topic, replicas: settings.replicationFactor ?? min(3, max(1, facts.brokers)))
        }
        if !missing.isEmpty {
            try await perform { (client, time) throws(KafkaFault) in try client.create(missing, within: time) }
        }
        let names = Set(topics.map(\.name))
        try await perform { (client, time) throws(KafkaFault) in
            guard try client.metadata(within: time).ready.isSuperset(of: names) else { throw .notReady }
        }
    }

    func inspect(_ names: [String]) async throws(BrokerError) -> ClusterDescription {
        let layout = try await perform { (client, time) throws(KafkaFault) in try client.layout(within: time) }
        var facts = ClusterDescription(brokers: layout.brokers.count)
        if let broker = layout.brokers.min() {
            facts.brokerSettings = try await perform { (client, time) throws(KafkaFault) in
                try client.settings(of: .broker(broker), within: time)
            }
        }
        for name in names {
            guard let partitions = layout.topics[name], !partitions.isEmpty else { continue }
            let settings = try await perform { (client, time) throws(KafkaFault) in
                try client.settings(of: .topic(name), within: time)
            }
            facts.topics[name] = TopicDescription(
                partitions: partitions.count, replicas: partitions.map(\.replicas).min() ?? 0,
                inSyncReplicas: partitions.map(\.inSyncReplicas).min() ?? 0,
                hasLeaders: partitions.allSatisfy(\.hasLeader),
                settings: settings)
        }
        return facts
    }

    func close() {
        isClosed = true
        for group in clients.keys { forget(group) }
    }

    /// Sends a request until it succeeds, its time runs out, the task is cancelled, or a retry cannot help.
    ///
    /// - Parameter operation: the operation on the topic, by the name that Kafka's authorizer uses.
    func perform<Value>(
        for group: String = "", about topic: String? = nil, _ operation: String = "Describe",
        _ request: (AdminClient, Duration) throws(KafkaFault) -> Value
    ) async throws(BrokerError) -> Value {
        let end = ContinuousClock.now + (isInContact ? settings.times.request : settings.times.firstContact)
        // A refused connection is only noticed between two attempts, so the first is short. Slow brokers get more time
        // at each.
        var timeout = Backoff(initial: .seconds(1), max: .seconds(5))
        var hasBroker = isInContact
        while true {
            // It may have waited for another request's attempt.
            guard !isClosed, !deadline.hasPassed else { throw .closed }
            guard !Task.isCancelled else { throw .unavailable("a request to Kafka was cancelled") }
            do throws(KafkaFault) {
                let time = hasBroker ? timeout.nextDelay() : Self.connectionWait
                let answer = try request(try client(group), deadline.limited(min(time, end - .now)))
                isInContact = true
                return answer
            } catch {
                let cause = refusal(group) ?? error
                guard !deadline.hasPassed else { throw .closed }
                guard cause.isTransient, ContinuousClock.now < end, !Task.isCancelled else {
                    // A client can keep sending to a broker that is gone, so the next attempt gets a new client.
                    forget(group)
                    throw settings.explain(cause, topic: topic, group: group, operation)
                }
                hasBroker = cause.kind != .noBroker
                // A client's list of leaders can be out of date for half a minute.
                if cause.kind == .moved { forget(group) }
                try? await Task.sleep(for: Self.pause)
            }
        }
    }

    /// Why brokers refuse the connection, if they do. The request itself only reports a missing connection.
    private func refusal(_ group: String) -> KafkaFault? {
        clients[group]?.serve()
        let problem = clients[group]?.handle.context.health.problem
        return problem?.kind == .authentication ? problem : nil
    }

    private func client(_ group: String) throws(KafkaFault) -> AdminClient {
        if let client = clients[group] { return client }
        if clients.count >= Self.maxClients, let other = clients.keys.first(where: { !$0.isEmpty }) { forget(other) }
        let made = try AdminClient(settings.adminProperties(group: group), ClientContext(report: settings.report))
        clients[group] = made
        return made
    }

    private func forget(_ group: String) {
        if let client = clients.removeValue(forKey: group) { ClientDisposer.dispose(client) }
    }
}
