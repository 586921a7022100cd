public import Broker
internal import Synchronization

/// A Kafka cluster as Rawmill's broker, through librdkafka.
///
/// Delivery is at least once. The implementation supports librdkafka 2.0.2, which Debian 12 ships, and avoids its bugs:
/// assignment is eager, records are polled one by one, and the polling thread commits the offsets.
public final class KafkaTransport: Transport {
    let settings: KafkaSettings
    /// For clients whose connections do not start a check of the identity: the checks' own.
    let unwatchedSettings: KafkaSettings
    let admin: KafkaAdmin
    /// Translates names of topics and groups: the brokers' names stay inside this type and `KafkaConsumer`.
    var name: ClusterName { settings.clusterName }
    let deadline = TransportDeadline()
    let watch: ClusterWatch
    let state = Mutex(State())

    struct State {
        var isClosed = false
        var isRecognisingTopics = false
        var producer: ProducerCore?
        var consumers: [ObjectIdentifier: Member] = [:]
        var known: Set<String> = []
        var maxRecordBytes = Dictionary(uniqueKeysWithValues: Topics.local.map { ($0.name, $0.maxRecordBytes) })
    }

    struct Member {
        let core: ConsumerCore
        let group: String
        let instanceID: String?
    }

    /// Creates a transport without connecting it: an unreachable cluster fails the first call. Throws
    /// `KafkaSettingsError` for a property that librdkafka rejects.
    public init(_ settings: KafkaSettings) throws {
        let watch = ClusterWatch()
        unwatchedSettings = settings
        var watched = settings
        watched.onEvent = { event in
            if event == .connected { watch.suspect() }
            settings.onEvent(event)
        }
        self.watch = watch
        self.settings = watched
        admin = KafkaAdmin(watched, deadline)
        try settings.check()
        watch.onSuspicion { [weak self] in await self?.checkIdentity() }
    }

    // MARK: - Identity

    /// Kafka's cluster id and the incarnation: "ID/INCARNATION". Writes the incarnation if there is none.
    ///
    /// If it differs from the previous one, all consumers and readers end with `BrokerError.replaced`: their offsets
    /// belong to a cluster that is gone. The same happens without a call after a client has connected.
    public func clusterID() async throws -> String {
        let identity = try await readIdentity()
        guard let former = watch.record(identity) else { return identity }
        settings.report(.replaced(former, by: identity))
        let error = otherCluster(former, identity)
        let consumers = state.withLock { state in
            // The known topics are out of date too.
            state.known = []
            return state.consumers.values.map(\.core)
        }
        for consumer in consumers { consumer.replaced(error) }
        return identity
    }

    func otherCluster(_ former: String, _ identity: String) -> BrokerError {
        .replaced(
            "\(settings.address.servers) leads to another Kafka than before, or it lost everything: its identity was "
                + "\(former) and is \(identity). Its topics are read from the beginning.")
    }

    private func checkIdentity() async {
        while !state.withLock({ $0.isClosed }) {
            if (try? await clusterID()) != nil { return }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    // MARK: - Topics

    /// Creates the missing topics, and returns once all partitions have a leader. Existing ones stay as they are.
    public func create(_ topics: [Topic]) async throws {
        try await admin.create(topics.map(name.external))
        know(topics)
    }

    func know(_ topics: [Topic]) {
        state.withLock { state in
            for topic in topics {
                state.known.insert(topic.name)
                state.maxRecordBytes[topic.name] = topic.maxRecordBytes
            }
        }
    }

    /// The range of offsets of each partition: from its oldest record to the next one.
    public func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await admin.watermarks(name.external(topic))
    }

    /// The offsets that the group has committed, by partition. Partitions without one are left out.
    public func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await admin.committed(name.external(group), name.external(topic))
    }

    /// The number of records of each partition that the group has not committed.
    public func lag(group: String, topic: String) async throws -> [Int32: Int64] {
        let committed = try await committed(group: group, topic: topic)
        return try await watermarks(topic: topic).reduce(into: [:]) { lag, partition in
            let next = max(committed[partition.key] ?? 0, partition.value.lowerBound)
            lag[partition.key] = max(0, partition.value.upperBound - next)
        }
    }

    /// Describes the cluster and the topics, under their names at the brokers, for `ClusterCheck`.
    public func inspect(_ topics: [Topic]) async throws -> ClusterDescription {
        try await admin.inspect((topics + [Self.incarnationTopic]).map { name.external($0.name) })
    }

    private func checkExists(_ topic: String) async throws {
        if state.withLock({ $0.known.contains(topic) }) { return }
        _ = try await admin.partitions(of: name.external(topic))
        state.withLock { _ = $0.known.insert(topic) }
    }

    // MARK: - Producing

    /// A producer for any topic. Throws `BrokerError.closed` after `close`.
    public func producer() async throws -> any Producer {
        _ = try producerCore()
        return KafkaProducer(self)
    }

    func send(_ records: [Record], to topic: String) async throws -> [Position] {
        let largest = state.withLock { $0.maxRecordBytes[topic] } ?? Record.maxBytes
        for record in records where record.sizeBytes > largest {
            throw BrokerError.recordTooLarge(bytes: record.sizeBytes, topic: topic)
        }
        guard !records.isEmpty else { return [] }
        let core = try producerCore()
        try await checkExists(topic)
        do {
            return try await core.send(records, to: name.external(topic)) { [settings] in
                settings.explain($0, topic: $1, "Write")
            }.map(name.own)
        } catch BrokerError.unknownTopic(let missing) {
            state.withLock { _ = $0.known.remove(topic) }
            throw BrokerError.unknownTopic(missing)
        }
    }

    private func producerCore() throws(BrokerError) -> ProducerCore {
        let (core, isNew) = try state.withLock { (state) throws(BrokerError) in
            guard !state.isClosed else { throw .closed }
            if let core = state.producer { return (core, false) }
            let core = ProducerCore()
            state.producer = core
            return (core, true)
        }
        if isNew { Task { [settings, deadline] in await ProducerThread(core, settings, deadline).run() } }
        return core
    }

    // MARK: - The whole transport

    /// The current statistics of the producer, the consumers and the readers.
    public var statistics: KafkaStatistics {
        let (producer, members) = state.withLock { ($0.producer, Array($0.consumers.values)) }
        var statistics = KafkaStatistics()
        statistics.producer = producer?.counters ?? .init()
        statistics.consumers = members.map { member in
            var figures = member.core.statistics
            figures.group = member.group
            figures.lag = Dictionary(uniqueKeysWithValues: figures.lag.map { (name.own($0.key), $0.value) })
            return figures
        }
        return statistics
    }

    /// Disconnects. Consumers commit what is finished and leave their groups. Later calls throw `BrokerError.closed`.
    public func close() async { await close(abandoning: false) }

    /// Sets a deadline for everything that waits for the cluster, for a process that has to end by then. At the
    /// deadline the transport is abandoned, as by a killed process: waiting and later calls throw `BrokerError.closed`.
    public func end(by deadline: ContinuousClock.Instant) {
        self.deadline.set(deadline)
        Task { [weak self] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            await self?.abandon()
        }
    }

    /// How long calls may still wait; nil without a limit.
    public var timeLeft: Duration? { deadline.timeLeft }

    /// Closes without committing anything or leaving any group, like a killed process.
    package func abandon() async { await close(abandoning: true) }

    private func close(abandoning: Bool) async {
        let (producer, consumers) = state.withLock { state in
            state.isClosed = true
            return (state.producer, state.consumers.values.map(\.core))
        }
        let time = deadline.limited(settings.times.close)
        await withTaskGroup { group in
            for consumer in consumers {
                group.addTask { await consumer.close(within: time, abandoning: abandoning) }
            }
            if let producer { group.addTask { await producer.close(within: time) } }
        }
        await admin.close()
    }
}
