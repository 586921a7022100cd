public import Broker
internal import Synchronization

extension KafkaTransport {
    /// Joins a consumer group; a new group begins at the oldest record.
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

    /// Reads all partitions of a topic, outside any group. A missing or invalid offset means the oldest record.
    public func reader(topic: String, from offsets: [Int32: Int64]) async throws -> any Reader {
        try await read(topic, from: offsets)
    }

    /// Reads all partitions of a topic, outside any group, from where an earlier reader stopped. Polls throw
    /// `BrokerError.replaced` once the cluster or the topic turns out to be another one.
    public func reader(topic: String, continuing position: StoredPosition) async throws -> any Reader {
        if watch.identity == nil { _ = try await clusterID() }
        let reader = try await read(topic, from: position.next, known: position.known)
        // From here on a replaced cluster ends the reader. This check covers the time before.
        if let identity = watch.identity, identity != position.cluster {
            await reader.close()
            throw otherCluster(position.cluster, identity)
        }
        return reader
    }

    private func read(
        _ topic: String, from offsets: [Int32: Int64], known: [Int32: KnownRecord] = [:]
    ) async throws -> KafkaConsumer {
        let external = name.external(topic)
        var starts: [TopicPartition: Int64?] = [:]
        for (partition, range) in try await watermarks(topic: topic) {
            let requested = offsets[partition] ?? range.lowerBound
            let exists = requested >= range.lowerBound && requested <= range.upperBound
            starts[TopicPartition(topic: external, partition: partition)] = exists ? requested : range.lowerBound
        }
        let records = known.map { (TopicPartition(topic: external, partition: $0), $1) }
        recogniseTopics()
        return try await open(
            ConsumerState(reading: starts, known: Dictionary(uniqueKeysWithValues: records)),
            ConsumerPlan(settings: settings, deadline: deadline, group: nil))
    }

    /// A reader of one record of each partition. The checks for replaced topics skip it, because they use it.
    func singleRecords(at starts: [TopicPartition: Int64?]) async throws -> any Reader {
        try await open(
            ConsumerState(reading: starts),
            ConsumerPlan(settings: unwatchedSettings, deadline: deadline, group: nil, readsSingleRecords: true))
    }

    private func open(_ state: sending ConsumerState, _ plan: ConsumerPlan) async throws -> KafkaConsumer {
        let core = ConsumerCore(state)
        _ = try add(core, group: "")
        try await start(core, plan)
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

    /// Adds a consumer and returns its instance ID, or nil if the settings have none. Further members of a group get
    /// the ID with a number, because the IDs of a group must differ.
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
}
