internal import Broker
internal import Concurrency

/// Questions to the cluster, one after another, on a thread of their own: each may wait for a broker.
actor KafkaAdmin {
    private nonisolated let executor = ThreadExecutor(name: "kafka-admin")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let settings: KafkaSettings
    /// By the group they ask about; the empty one is none.
    private var clients: [String: AdminClient] = [:]
    private static let mostClients = 8
    private var isClosed = false
    /// Some broker of the cluster has answered some question.
    private var isInContact = false

    init(_ settings: KafkaSettings) { self.settings = settings }

    /// Asked of a new client: an old one goes on telling the first cluster that it saw.
    func clusterID() throws(BrokerError) -> String {
        forget("")
        return try ask { (client, time) throws(KafkaFault) in try client.clusterID(within: time) }
    }

    /// Partition numbers of the topic.
    func partitions(of topic: String) throws(BrokerError) -> [Int32] {
        let facts = try ask { (client, time) throws(KafkaFault) in try client.facts(within: time) }
        guard let partitions = facts.topics[topic], !partitions.isEmpty else { throw .unknownTopic(topic) }
        return partitions.sorted()
    }

    func watermarks(_ topic: String) throws(BrokerError) -> [Int32: Range<Int64>] {
        let partitions = try partitions(of: topic)
        return try ask { (client, time) throws(KafkaFault) in
            try client.watermarks(topic, partitions, within: time)
        }
    }

    func committed(_ group: String, _ topic: String) throws(BrokerError) -> [Int32: Int64] {
        let places = try partitions(of: topic).map { TopicPartition(topic: topic, partition: $0) }
        let offsets = try ask(about: group) { (client, time) throws(KafkaFault) in
            try client.committed(places, within: time)
        }
        return Dictionary(uniqueKeysWithValues: offsets.map { ($0.key.partition, $0.value) })
    }

    /// Makes the topics that do not exist, and returns when every partition of all of them has a leader.
    func create(_ topics: [Topic]) throws(BrokerError) {
        let facts = try ask { (client, time) throws(KafkaFault) in try client.facts(within: time) }
        let missing = topics.filter { facts.topics[$0.name] == nil }.map { topic in
            NewTopic(topic, copies: settings.replicationFactor ?? min(3, max(1, facts.brokers)))
        }
        if !missing.isEmpty {
            try ask { (client, time) throws(KafkaFault) in try client.create(missing, within: time) }
        }
        let names = Set(topics.map(\.name))
        try ask { (client, time) throws(KafkaFault) in
            guard try client.facts(within: time).ready.isSuperset(of: names) else { throw .notReady }
        }
    }

    /// The cluster's brokers and the topics of these names, with what they are set to.
    func inspect(_ names: [String]) throws(BrokerError) -> KafkaClusterFacts {
        let shape = try ask { (client, time) throws(KafkaFault) in try client.shape(within: time) }
        var facts = KafkaClusterFacts(brokers: shape.brokers.count)
        if let broker = shape.brokers.min() {
            facts.brokerSettings = try ask { (client, time) throws(KafkaFault) in
                try client.settings(of: .broker(broker), within: time)
            }
        }
        for name in names {
            guard let partitions = shape.topics[name], !partitions.isEmpty else { continue }
            let settings = try ask { (client, time) throws(KafkaFault) in
                try client.settings(of: .topic(name), within: time)
            }
            facts.topics[name] = KafkaTopicFacts(
                partitions: partitions.count, copies: partitions.map(\.copies).min() ?? 0,
                inSync: partitions.map(\.inSync).min() ?? 0, hasLeaders: partitions.allSatisfy(\.hasLeader),
                settings: settings)
        }
        return facts
    }

    func close() {
        isClosed = true
        for group in clients.keys { forget(group) }
    }

    /// Tries until the time is over or nobody waits for the answer any more, except where trying again does not help.
    private func ask<Value>(
        about group: String = "", _ question: (AdminClient, Duration) throws(KafkaFault) -> Value
    ) throws(BrokerError) -> Value {
        guard !isClosed else { throw .closed }
        let deadline = ContinuousClock.now + (isInContact ? settings.times.answer : settings.times.contact)
        // A refusal is seen between two attempts only: so the first one is short.
        var patience = Duration.seconds(1)
        while true {
            defer { patience = min(.seconds(5), patience * 2) }
            do throws(KafkaFault) {
                let answer = try question(try client(group), min(patience, deadline - .now))
                isInContact = true
                return answer
            } catch {
                let cause = refusal(group) ?? error
                guard cause.isPassing, ContinuousClock.now < deadline, !Task.isCancelled else {
                    // A client can stick to a broker that is gone: the next question gets a new one.
                    forget(group)
                    throw settings.explain(cause)
                }
                // What a client knows of the leaders can be old for half a minute.
                if cause.kind == .moved { forget(group) }
                try? client(group).rest(.milliseconds(100))
            }
        }
    }

    /// Why brokers refuse the connection, where they do: the question itself only fails for want of one.
    private func refusal(_ group: String) -> KafkaFault? {
        clients[group]?.serve()
        let problem = clients[group]?.handle.context.health.problem
        return problem?.kind == .authentication ? problem : nil
    }

    private func client(_ group: String) throws(KafkaFault) -> AdminClient {
        if let client = clients[group] { return client }
        if clients.count >= Self.mostClients, let other = clients.keys.first(where: { !$0.isEmpty }) { forget(other) }
        let made = try AdminClient(settings.adminProperties(group: group), ClientContext(tell: settings.tell))
        clients[group] = made
        return made
    }

    private func forget(_ group: String) {
        if let client = clients.removeValue(forKey: group) { ClientDisposer.dispose(client) }
    }
}
