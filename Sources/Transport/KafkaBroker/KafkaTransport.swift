public import Broker
internal import Synchronization

/// A Kafka cluster as Rawmill's broker, through librdkafka.
///
/// Delivery is at least once. The implementation supports librdkafka 2.0.2, which Debian 12 ships, and avoids its bugs:
/// assignment is eager, records are polled one by one, and the thread that polls commits the offsets.
public final class KafkaTransport: Transport {
    let settings: KafkaSettings
    let admin: KafkaAdmin
    /// Translates names of topics and groups: the brokers' names stay inside this type and `KafkaConsumer`.
    var name: ClusterName { settings.clusterName }
    private let deadline = TransportDeadline()
    private let watch: ClusterWatch
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        var producer: ProducerCore?
        var consumers: [ObjectIdentifier: Member] = [:]
        /// Topics that are known to exist.
        var known: Set<String> = []
        /// The size limit of a record, by topic.
        var maxRecordBytes = Dictionary(uniqueKeysWithValues: Topics.local.map { ($0.name, $0.maxRecordBytes) })
    }

    private struct Member {
        let core: ConsumerCore
        /// Empty for a reader.
        let group: String
        let instanceID: String?
    }

    /// Creates a transport without connecting it. An unreachable cluster is an error of the first call.
    ///
    /// - Throws: `KafkaSettingsError` for a property that librdkafka rejects.
    public init(_ settings: KafkaSettings) throws {
        let watch = ClusterWatch()
        var watched = settings
        watched.onEvent = { event in
            if event == .reconnected { watch.suspect() }
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
    /// If it is another one than at the call before, all consumers and readers end with `BrokerError.replaced`: their
    /// offsets belong to a cluster that is gone. The same happens after a reconnection, without a call.
    public func clusterID() async throws -> String {
        let identity = try await readIdentity()
        guard let former = watch.record(identity) else { return identity }
        settings.report(.replaced(former, by: identity))
        let error = BrokerError.replaced(
            "another Kafka is behind \(settings.address.servers) than before, or it lost everything: its identity was "
                + "\(former) and is \(identity). Everything is read from the beginning there.")
        let consumers = state.withLock { state in
            // What was known of its topics is out of date as well.
            state.known = []
            return state.consumers.values.map(\.core)
        }
        for consumer in consumers { consumer.replaced(error) }
        return identity
    }

    private func checkIdentity() async {
        while !state.withLock({ $0.isClosed }) {
            if (try? await clusterID()) != nil { return }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    // MARK: - Topics

    /// Creates the topics that do not exist, and returns once all partitions have a leader. Existing ones stay as they
    /// are.
    public func create(_ topics: [Topic]) async throws {
        try await admin.create(topics.map(name.external))
        know(topics)
    }

    /// Notes topics that exist, with their size limits.
    func know(_ topics: [Topic]) {
        state.withLock { state in
            for topic in topics {
                state.known.insert(topic.name)
                state.maxRecordBytes[topic.name] = topic.maxRecordBytes
            }
        }
    }

    /// The offsets of each partition's oldest record and of the next one to be written.
    ///
    /// - Throws: `BrokerError.unknownTopic` if the topic does not exist.
    public func watermarks(topic: String) async throws -> [Int32: Range<Int64>] {
        try await admin.watermarks(name.external(topic))
    }

    /// The offsets that the group has committed, by partition. A partition without one is left out.
    ///
    /// - Throws: `BrokerError.unknownTopic` if the topic does not exist.
    public func committed(group: String, topic: String) async throws -> [Int32: Int64] {
        try await admin.committed(name.external(group), name.external(topic))
    }

    /// How many records of each partition the group has not committed.
    public func lag(group: String, topic: String) async throws -> [Int32: Int64] {
        let committed = try await committed(group: group, topic: topic)
        return try await watermarks(topic: topic).reduce(into: [:]) { lag, partition in
            let next = max(committed[partition.key] ?? 0, partition.value.lowerBound)
            lag[partition.key] = max(0, partition.value.upperBound - next)
        }
    }

    private func checkExists(_ topic: String) async throws {
        if state.withLock({ $0.known.contains(topic) }) { return }
        _ = try await admin.partitions(of: name.external(topic))
        state.withLock { _ = $0.known.insert(topic) }
    }

    // MARK: - Producing

    /// A producer, for any topic.
    ///
    /// - Throws: `BrokerError.closed` after `close`.
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

    // MARK: - Consuming

    /// Joins a consumer group. A new group begins at the oldest record.
    ///
    /// - Parameter inFlight: how many records may be delivered and not yet finished.
    /// - Throws: `BrokerError.unknownTopic` for a topic that does not exist.
    public func consumer(group: String, topics: [String], inFlight: Int) async throws -> any GroupConsumer {
        let topics = topics.map(name.external)
        for topic in topics { _ = try await admin.partitions(of: topic) }
        let core = ConsumerCore(ConsumerState(window: inFlight, maxIdle: settings.times.maxIdle))
        let instanceID = try add(core, group: group)
        let plan = ConsumerPlan(
            settings: settings, deadline: deadline,
            group: .init(name: name.external(group), topics: topics, instanceID: instanceID))
        try await start(core, plan)
        return KafkaConsumer(core, settings, deadline)
    }

    /// Reads all partitions of a topic, outside any group.
    ///
    /// - Parameter offsets: where each partition begins. A missing offset, and one that does not exist, means the
    ///   oldest record.
    /// - Throws: `BrokerError.unknownTopic` if the topic does not exist.
    public func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        var starts: [TopicPartition: Int64?] = [:]
        for (partition, range) in try await watermarks(topic: topic) {
            let requested = offsets[partition] ?? range.lowerBound
            let exists = requested >= range.lowerBound && requested <= range.upperBound
            starts[TopicPartition(topic: name.external(topic), partition: partition)] =
                exists ? requested : range.lowerBound
        }
        let core = ConsumerCore(ConsumerState(reading: starts))
        _ = try add(core, group: "")
        try await start(core, ConsumerPlan(settings: settings, deadline: deadline, group: nil))
        return KafkaConsumer(core, settings, deadline)
    }

    private func start(_ core: ConsumerCore, _ plan: ConsumerPlan) async throws {
        let thread = ConsumerThread(core, plan)
        do {
            try await thread.start()
        } catch {
            remove(core)
            throw error
        }
        Task { [weak self] in
            await thread.run()
            self?.remove(core)
        }
    }

    /// Adds a consumer and returns its instance ID, or nil if the settings have none. The first member of a group gets
    /// the settings' ID. Further members get it with a number, because the IDs of a group must differ.
    private func add(_ core: ConsumerCore, group: String) throws(BrokerError) -> String? {
        try state.withLock { (state) throws(BrokerError) in
            guard !state.isClosed else { throw .closed }
            let taken = Set(state.consumers.values.filter { $0.group == group }.compactMap(\.instanceID))
            let instanceID = settings.instanceID.flatMap { name in
                (1...taken.count + 1).lazy.map { $0 == 1 ? name : "\(name).\($0)" }.first { !taken.contains($0) }
            }
            state.consumers[ObjectIdentifier(core)] = Member(core: core, group: group, instanceID: instanceID)
            return instanceID
        }
    }

    private func remove(_ core: ConsumerCore) {
        state.withLock { _ = $0.consumers.removeValue(forKey: ObjectIdentifier(core)) }
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

    /// Closes all producers, consumers and readers, and disconnects. Consumers commit what is finished and leave their
    /// groups. Every later call throws `BrokerError.closed`.
    public func close() async { await close(abandoning: false) }

    /// Limits how long anything here may still wait for the cluster, for a process that has to end by then. Until the
    /// deadline everything works as before. At the deadline the transport is abandoned, as by a killed process: calls that
    /// wait, and all later ones, throw `BrokerError.closed`.
    public func end(by deadline: ContinuousClock.Instant) {
        self.deadline.set(deadline)
        Task { [weak self] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            await self?.abandon()
        }
    }

    /// How long anything here may still wait; nil without a limit.
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
