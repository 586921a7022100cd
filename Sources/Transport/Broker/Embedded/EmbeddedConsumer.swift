internal import Synchronization

final class EmbeddedConsumer: GroupConsumer {
    private let core: BrokerCore
    private let member: GroupMember

    init(_ core: BrokerCore, _ member: GroupMember) {
        self.core = core
        self.member = member
    }

    /// A consumer that is released without `close` must not keep its partitions.
    deinit {
        Task { [core, member] in await core.close(member) }
    }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        try await core.poll(member, limit: limit, wait: wait)
    }

    func finish(_ position: Position) async {
        let frees = member.tracker.withLock { $0.finish(position).frees }
        if frees { await core.wake(member.topics) }
    }

    func commit() async throws -> [TopicPartition: Int64] {
        try await core.commit(member)
        return member.tracker.withLock { $0.committed }
    }

    func pause(topic: String) async { member.tracker.withLock { $0.pause(topic) } }

    func resume(topic: String) async {
        member.tracker.withLock { $0.resume(topic) }
        await core.wake([topic])
    }

    func leave() async { await core.leave(member) }

    func rejoin() async { await core.rejoin(member) }

    func assignment() async -> Set<TopicPartition> { member.tracker.withLock { $0.assignment } }

    /// Does nothing: all members live in one process, so the next one knows at once which records are finished.
    func onRevocation(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async {}

    func close() async { await core.close(member) }
}

extension BrokerCore {
    /// Commits the member's finished prefixes. They are collected and queued in one step of the actor, so a partition
    /// that is revoked later is committed after this.
    func commit(_ member: GroupMember) async throws {
        guard members[member.id] != nil else { throw BrokerError.closed }
        let offsets = member.tracker.withLock { $0.uncommitted }
        guard !offsets.isEmpty else { return }
        try await write(.commit(offsets, group: member.group))
        member.tracker.withLock { $0.commit(offsets) }
    }
}
