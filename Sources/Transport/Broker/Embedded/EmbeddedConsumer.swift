internal import Synchronization

final class EmbeddedConsumer: GroupConsumer {
    private let core: BrokerCore
    private let member: GroupMember

    init(_ core: BrokerCore, _ member: GroupMember) {
        self.core = core
        self.member = member
    }

    /// A consumer that was let go without `close` must not keep its partitions from the others.
    deinit {
        Task { [core, member] in await core.close(member) }
    }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        try await core.poll(member, limit: limit, wait: wait)
    }

    func finish(_ position: Position) async {
        let opens = member.ledger.withLock { $0.finish(position).opens }
        if opens { await core.wake(member.topics) }
    }

    func commit() async throws -> [TopicPartition: Int64] {
        try await core.commit(member)
        return member.ledger.withLock { $0.committed }
    }

    func pause(topic: String) async { member.ledger.withLock { $0.pause(topic) } }

    func resume(topic: String) async {
        member.ledger.withLock { $0.resume(topic) }
        await core.wake([topic])
    }

    func leave() async { await core.leave(member) }

    func rejoin() async { await core.rejoin(member) }

    func assignment() async -> Set<TopicPartition> { member.ledger.withLock { $0.assignment } }

    /// Nobody waits: its members are all of one process, which has the next one begin behind what is finished.
    func whenLeaving(_ release: @escaping @Sendable (Set<TopicPartition>) -> Set<Position>) async {}

    func close() async { await core.close(member) }
}

extension BrokerCore {
    /// Commits the member's finished prefixes. They are gathered and queued in one turn of the actor: a partition
    /// that is taken away later has its commit queued behind this one.
    func commit(_ member: GroupMember) async throws {
        guard members[member.id] != nil else { throw BrokerError.closed }
        let offsets = member.ledger.withLock { $0.uncommitted }
        guard !offsets.isEmpty else { return }
        try await write(.commit(offsets, group: member.group))
        member.ledger.withLock { $0.commit(offsets) }
    }
}
