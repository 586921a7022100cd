internal import Synchronization

/// A member of a consumer group as the broker knows it.
final class GroupMember: Sendable {
    let id: ConsumerGroup.MemberID
    let group: String
    let topics: Set<String>
    let ledger: Mutex<ConsumerLedger>

    init(id: ConsumerGroup.MemberID, group: String, topics: Set<String>, window: Int) {
        self.id = id
        self.group = group
        self.topics = topics
        ledger = Mutex(ConsumerLedger(window: window))
    }
}

/// A reader's next offsets, by partition.
final class ReaderState: Sendable {
    let topic: String
    let offsets: Mutex<[TopicPartition: Int64]>
    let closed = Mutex(false)

    init(topic: String, offsets: [TopicPartition: Int64]) {
        self.topic = topic
        self.offsets = Mutex(offsets)
    }
}

extension BrokerCore {
    /// Most bytes that one poll reads.
    private static let pollBytes = 4 << 20

    func poll(_ member: GroupMember, limit: Int, wait: Duration) async throws -> [Delivery] {
        try await poll(member.topics, wait) { () throws(BrokerError) in try self.fetch(member, limit) }
    }

    func poll(_ reader: ReaderState, limit: Int, wait: Duration) async throws -> [Delivery] {
        try await poll([reader.topic], wait) { () throws(BrokerError) in try self.fetch(reader, limit) }
    }

    /// Asks until there is something, and between two questions waits for news: both in one turn of the actor, so
    /// that no news falls between them.
    private func poll(
        _ topics: Set<String>, _ wait: Duration, _ fetch: () throws(BrokerError) -> [Delivery]
    ) async throws -> [Delivery] {
        let deadline = ContinuousClock.now + min(max(wait, .zero), .seconds(3600))
        while true {
            let found = try fetch()
            if !found.isEmpty || Task.isCancelled || ContinuousClock.now >= deadline { return found }
            await change(of: topics, until: deadline)
        }
    }

    private func fetch(_ member: GroupMember, _ limit: Int) throws(BrokerError) -> [Delivery] {
        guard members[member.id] != nil else { throw .closed }
        var found: [Delivery] = []
        var bytes = Self.pollBytes
        for (partition, offset) in member.ledger.withLock({ $0.nextRound() }) where bytes > 0 {
            let room = min(limit - found.count, member.ledger.withLock { $0.room(in: partition) })
            do {
                let records = try ask { try $0.read(partition, from: offset, limit: room, bytes: bytes) }
                found += member.ledger.withLock { ledger in records.filter { ledger.deliver($0.position) } }
                bytes -= records.reduce(0) { $0 + $1.record.sizeBytes }
            } catch {
                // What was already counted as delivered has to be delivered; the error comes again.
                guard !found.isEmpty else { throw error }
                break
            }
        }
        return found
    }

    private func fetch(_ reader: ReaderState, _ limit: Int) throws(BrokerError) -> [Delivery] {
        guard !reader.closed.withLock({ $0 }) else { throw .closed }
        let offsets = reader.offsets.withLock { $0 }
        var found: [Delivery] = []
        var bytes = Self.pollBytes
        for (partition, offset) in offsets.sorted(by: { $0.key < $1.key }) where bytes > 0 {
            let records = try ask { store in
                try store.read(partition, from: offset, limit: limit - found.count, bytes: bytes)
            }
            found += records
            bytes -= records.reduce(0) { $0 + $1.record.sizeBytes }
        }
        reader.offsets.withLock { offsets in
            for delivery in found { offsets[delivery.position.partition] = delivery.position.offset + 1 }
        }
        return found
    }
}
