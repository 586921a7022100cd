internal import Synchronization

extension BrokerCore {
    private static let maxPollBytes = 4 << 20

    func poll(_ member: GroupMember, limit: Int, wait: Duration) async throws -> [Delivery] {
        try await poll(member.topics, wait) { () throws(BrokerError) in try self.fetch(member, limit) }
    }

    func poll(_ reader: ReaderState, limit: Int, wait: Duration) async throws -> [Delivery] {
        try await poll([reader.topic], wait) { () throws(BrokerError) in try self.fetch(reader, limit) }
    }

    /// Fetches until there are records, and waits for a change after each empty fetch. The fetch and the start of the
    /// wait run in one step of the actor, so no change is missed between them.
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
        var bytes = Self.maxPollBytes
        for (partition, offset) in member.tracker.withLock({ $0.nextFetches() }) where bytes > 0 {
            let capacity = min(limit - found.count, member.tracker.withLock { $0.capacity(of: partition) })
            do {
                let records = try query { try $0.read(partition, from: offset, limit: capacity, bytes: bytes) }
                found += member.tracker.withLock { tracker in records.filter { tracker.deliver($0.position) } }
                bytes -= records.reduce(0) { $0 + $1.record.sizeBytes }
            } catch {
                // The records before the error already count as delivered, so return them. The next poll throws the
                // error again.
                guard !found.isEmpty else { throw error }
                break
            }
        }
        return found
    }

    private func fetch(_ reader: ReaderState, _ limit: Int) throws(BrokerError) -> [Delivery] {
        guard !reader.isClosed.withLock({ $0 }) else { throw .closed }
        let offsets = reader.offsets.withLock { $0 }
        var found: [Delivery] = []
        var bytes = Self.maxPollBytes
        for (partition, offset) in offsets.sorted(by: { $0.key < $1.key }) where bytes > 0 {
            let records = try query { store in
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
