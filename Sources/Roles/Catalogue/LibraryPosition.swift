internal import Broker
internal import LibraryTables
internal import PhotoTree

extension Transport {
    /// Where to continue reading a topic, according to the library. Offsets of a topic that was created again are
    /// deleted, and it is read from its beginning.
    func position(
        in topic: ConsumedTopic, of store: LibraryStore, isolation: isolated (any Actor)? = #isolation
    ) async throws -> StoredPosition {
        var position = StoredPosition(cluster: topic.cluster)
        for (partition, consumed) in try store.tables.offsets.partitions(of: topic) {
            position.next[partition] = consumed.next
            position.known[partition] = consumed.known.map {
                KnownRecord(offset: $0.offset, timestampMilliseconds: $0.sentMilliseconds)
            }
        }
        let changes = try await changes(of: topic.topic, since: position)
        if changes.isEmpty { return position }
        try store.transaction {
            for (partition, finding) in changes {
                if finding == .other {
                    try store.tables.offsets.forget(topic, partition: partition)
                    position.forget(partition)
                } else {
                    try store.tables.offsets.forgetKnown(topic, partition: partition)
                    position.known[partition] = nil
                }
            }
        }
        return position
    }
}

extension OffsetTable {
    func advance(_ topic: ConsumedTopic, to next: [Int32: Int64], known: [Int32: KnownRecord]) throws {
        for (partition, offset) in next {
            let record = known[partition].map {
                ConsumedPartition.Known(offset: $0.offset, sentMilliseconds: $0.timestampMilliseconds)
            }
            try advance(topic, partition: partition, to: offset, known: record)
        }
    }
}
