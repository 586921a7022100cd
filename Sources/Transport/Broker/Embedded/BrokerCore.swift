internal import Database
internal import Synchronization
internal import Concurrency

/// Owns the tables, groups and waiting polls of the embedded broker, on its own thread.
///
/// 1. `send` returns once its records are in a committed transaction.
/// 2. A poll reads committed records only, and its member's tracker counts them as in flight.
/// 3. A commit writes the finished prefix and returns once it is durable.
/// 4. When a member leaves or loses a partition, its finished prefix is committed before the next member begins there.
actor BrokerCore {
    private nonisolated let thread = ThreadExecutor(name: "broker")
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

    private let path: String
    private var store: BrokerStore?
    private var lock: FileLock?
    private var writes = WriteQueue()
    private var pollWaiters = PollWaiters()
    private var groups: [String: ConsumerGroup] = [:]
    var members: [ConsumerGroup.MemberID: GroupMember] = [:]
    private var newestMember = 0

    init(path: String) { self.path = path }

    func open(locking lockPath: String?) throws(BrokerError) {
        if let lockPath { lock = try FileLock(path: lockPath) }
        do {
            store = try BrokerStore(path: path)
        } catch {
            lock = nil
            throw BrokerError(error, path: path)
        }
    }

    func opened() throws(BrokerError) -> BrokerStore {
        guard let store else { throw .closed }
        return store
    }

    func query<Value>(_ body: (BrokerStore) throws -> Value) throws(BrokerError) -> Value {
        let store = try opened()
        do {
            return try body(store)
        } catch {
            throw BrokerError(error, path: path)
        }
    }

    // MARK: - Writing

    /// Returns once the change is durable. Changes that arrive during a transaction share the next one.
    @discardableResult
    func write(_ change: WriteQueue.Change) async throws -> [Position] {
        _ = try opened()
        return try await withCheckedThrowingContinuation { continuation in
            if writes.add(change, continuation) { Task { self.flush() } }
        }
    }

    func flush() {
        while let batch = writes.next() {
            do {
                let results = try query { store in
                    try store.transaction { try batch.map { try $0.change.perform(on: store) } }
                }
                for (write, positions) in zip(batch, results) { write.continuation.resume(returning: positions) }
                wake(Set(batch.compactMap(\.change.appendsTo)))
            } catch {
                for write in batch { write.continuation.resume(throwing: error) }
            }
        }
    }

    // MARK: - Waiting

    /// Returns when something may have changed in these topics, at the deadline, or when the task is cancelled.
    func change(of topics: Set<String>, until deadline: ContinuousClock.Instant) async {
        let id = pollWaiters.nextID()
        let timer = Task { [weak self] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            await self?.wake(id)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { pollWaiters.add(id, topics, $0) }
        } onCancel: {
            Task { await self.wake(id) }
        }
        timer.cancel()
    }

    private func wake(_ id: PollWaiters.ID) { pollWaiters.take(id)?.resume() }

    func wake(_ topics: Set<String>) {
        guard !topics.isEmpty else { return }
        for poll in pollWaiters.take(for: topics) { poll.resume() }
    }

    // MARK: - Groups

    func join(group: String, topics: [String], inFlight: Int) async throws -> GroupMember {
        let store = try opened()
        for topic in topics where store.topics[topic] == nil { throw BrokerError.unknownTopic(topic) }
        newestMember += 1
        let member = GroupMember(id: newestMember, group: group, topics: Set(topics), window: inFlight)
        members[member.id] = member
        await rejoin(member)
        return member
    }

    func rejoin(_ member: GroupMember) async {
        guard let store, members[member.id] != nil else { return }
        let changes = groups[member.group, default: ConsumerGroup()].join(
            member.id, topics: member.topics, partitions: store.topics.mapValues(\.partitions))
        await perform(changes, group: member.group)
    }

    func leave(_ member: GroupMember) async {
        guard let store, members[member.id] != nil else { return }
        let partitions = store.topics.mapValues(\.partitions)
        let changes = groups[member.group]?.leave(member.id, partitions: partitions) ?? []
        if groups[member.group]?.isEmpty == true { groups[member.group] = nil }
        await perform(changes, group: member.group)
    }

    func close(_ member: GroupMember) async {
        await leave(member)
        guard members.removeValue(forKey: member.id) != nil else { return }
        wake(member.topics)
    }

    /// Revokes partitions, commits their finished records, and assigns them to their next members. If that commit
    /// fails, the next member still begins after the finished records; only the durable offset stays lower.
    private func perform(_ changes: [ConsumerGroup.Change], group: String) async {
        var finished: [TopicPartition: Int64] = [:]
        for case .revoke(let id, let revoked) in changes {
            let offsets = members[id]?.tracker.withLock { $0.revoke(revoked) } ?? [:]
            finished.merge(offsets) { max($0, $1) }
        }
        for case .assign(let id, let gained) in changes {
            let starts = gained.map { ($0, max(finished[$0] ?? 0, start(of: $0, group: group))) }
            members[id]?.tracker.withLock { $0.assign(Dictionary(uniqueKeysWithValues: starts)) }
            // Store the offset at which a new group begins, so that its unread records are not trimmed.
            finished.merge(starts) { max($0, $1) }
            wake(Set(gained.map(\.topic)))
        }
        let changed = finished.filter { store?.committed[group]?[$0.key] != $0.value }
        if !changed.isEmpty { _ = try? await write(.commit(changed, group: group)) }
    }

    private func start(of partition: TopicPartition, group: String) -> Int64 {
        store?.committed[group]?[partition] ?? store?.partitions[partition]?.first ?? 0
    }

    // MARK: - Closing

    func close() async {
        for member in members.values { await close(member) }
        flush()
        store = nil
        lock = nil
        for poll in pollWaiters.takeAll() { poll.resume() }
    }
}
