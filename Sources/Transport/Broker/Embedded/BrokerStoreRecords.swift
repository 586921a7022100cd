internal import Database

extension BrokerStore {
    func append(_ records: [Record], to topic: Topic, atMilliseconds now: Int64) throws -> [Position] {
        var changed: [TopicPartition: PartitionState] = [:]
        var positions: [Position] = []
        positions.reserveCapacity(records.count)
        for record in records {
            let name = TopicPartition(
                topic: topic.name, partition: Partitioner.partition(of: record.key, among: topic.partitions))
            var state = try changed[name] ?? state(name)
            try insert(record, into: &state, now)
            positions.append(Position(partition: name, offset: state.next))
            state.next += 1
            changed[name] = state
        }
        for (name, state) in changed {
            try connection.run("UPDATE partitions SET next_offset = ? WHERE id = ?", state.next, state.id)
            partitions[name] = state
        }
        return positions
    }

    private func insert(_ record: Record, into state: inout PartitionState, _ now: Int64) throws {
        let recordKey = state.recordKey(state.next)
        try connection.run(
            "INSERT INTO records (place, milliseconds, key, value, headers) VALUES (?, ?, ?, ?, ?)",
            recordKey, now, record.key, record.value, HeaderBytes.encode(record.headers))
        if state.retention == .compacted { try compact(record.key, newest: recordKey, &state) }
    }

    private func compact(_ key: [UInt8], newest recordKey: Int64, _ state: inout PartitionState) throws {
        let older = try connection.first(
            "SELECT place FROM newest WHERE partition_id = ? AND key = ?", state.id, key, make: { $0.integer(0) })
        if let older { try connection.run("DELETE FROM records WHERE place = ?", older) }
        try connection.run(
            """
            INSERT INTO newest (partition_id, key, place) VALUES (?, ?, ?)
            ON CONFLICT (partition_id, key) DO UPDATE SET place = excluded.place
            """, state.id, key, recordKey)
        guard older == state.recordKey(state.first) else { return }
        state.first = try oldest(state)
    }

    /// Reads up to `limit` records from the offset on, and stops after about `bytes` bytes.
    func read(_ partition: TopicPartition, from offset: Int64, limit: Int, bytes: Int) throws -> [Delivery] {
        let state = try state(partition)
        guard limit > 0, offset < state.next else { return [] }
        var found: [Delivery] = []
        var left = bytes
        try connection.walk(
            """
            SELECT place, milliseconds, key, value, headers FROM records
            WHERE place >= ? AND place < ? ORDER BY place LIMIT ?
            """, state.recordKey(max(0, offset)), state.endKey, limit
        ) { row in
            guard let headers = HeaderBytes.decode(row.blob(4)) else {
                throw BrokerError.broken("the broker's file is damaged at \(partition.topic), record \(row.integer(0))")
            }
            let record = Record(key: row.blob(2), value: row.isNull(3) ? nil : row.blob(3), headers: headers)
            let position = Position(partition: partition, offset: PartitionState.offset(ofRecordKey: row.integer(0)))
            found.append(Delivery(record: record, position: position, timestampMilliseconds: row.integer(1)))
            left -= record.sizeBytes
            return left > 0
        }
        return found
    }

    /// Commits a group's offsets, inside a transaction. An offset never decreases.
    func commit(_ offsets: [TopicPartition: Int64], group: String) throws {
        for (partition, offset) in offsets {
            let state = try state(partition)
            guard offset > committed[group]?[partition] ?? -1 else { continue }
            try connection.run(
                """
                INSERT INTO committed (consumer_group, partition_id, next_offset) VALUES (?, ?, ?)
                ON CONFLICT (consumer_group, partition_id) DO UPDATE SET next_offset = excluded.next_offset
                """, group, state.id, offset)
            committed[group, default: [:]][partition] = offset
        }
    }

    /// Removes the records of an `untilConsumed` topic that every group has finished, inside a transaction. Waits until
    /// there are 256 of them or all are finished, and removes at most `maxRemoved`, so that no commit takes long.
    func trim(_ partition: TopicPartition) throws {
        guard let state = partitions[partition], state.retention == .untilConsumed else { return }
        let groups = committed.values.filter { $0.keys.contains { $0.topic == partition.topic } }
        guard let floor = groups.map({ $0[partition] ?? 0 }).min() else { return }
        guard floor - state.first >= 256 || (floor == state.next && floor > state.first) else { return }
        try remove(partition, before: min(floor, state.first + Self.maxRemoved))
    }

    static let maxRemoved: Int64 = 4096

    func remove(_ partition: TopicPartition, before offset: Int64) throws {
        var state = try state(partition)
        guard offset > state.first else { return }
        state.first = min(offset, state.next)
        try connection.run(
            "DELETE FROM records WHERE place >= ? AND place < ?", state.recordKey(0), state.recordKey(state.first))
        partitions[partition] = state
    }
}
