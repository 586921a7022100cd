/// Tracks the partitions assigned to a member of a consumer group: the records in flight, the paused topics, and the
/// offsets that may be committed.
///
/// Every back end keeps one for each consumer, behind a mutex, and asks it what to fetch next.
public struct AssignmentTracker: Sendable {
    /// The maximum number of records in flight, over all partitions.
    public let window: Int
    /// The maximum number of delivered records of one partition, counted from its lowest unfinished one. A crash
    /// delivers all of these again, so one endless job must not let finished records pile up behind it.
    public let maxTail: Int
    private var partitions: [TopicPartition: OffsetLedger] = [:]
    /// The keys of `partitions`, sorted once: there are many, and every poll needs them.
    private var order: [TopicPartition] = []
    private var paused: Set<String> = []
    private var rotation = 0

    /// Creates a tracker without partitions. `window` is the maximum number of records in flight, at least 1.
    public init(window: Int) {
        self.window = max(1, window)
        maxTail = max(64, 8 * self.window)
    }

    /// The assigned partitions.
    public var assignment: Set<TopicPartition> { Set(partitions.keys) }
    /// The group's durable offset in each partition, or the offset at which reading began.
    public var committed: [TopicPartition: Int64] { partitions.mapValues(\.committed) }
    /// How many records are in flight: delivered but not finished.
    public private(set) var unfinished = 0

    /// Adds partitions, each with the offset that the group has committed.
    public mutating func assign(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition] = OffsetLedger(startingAt: offset) }
        recount()
    }

    /// Removes partitions and returns the offsets to commit for them first. Their records in flight are ignored.
    public mutating func revoke(_ revoked: Set<TopicPartition>) -> [TopicPartition: Int64] {
        var finished: [TopicPartition: Int64] = [:]
        for partition in revoked { finished[partition] = partitions.removeValue(forKey: partition)?.uncommitted }
        recount()
        return finished
    }

    private mutating func recount() {
        order = partitions.keys.sorted()
        unfinished = partitions.values.reduce(0) { $0 + $1.unfinished }
    }

    /// Stops deliveries of a topic, including partitions that are assigned later.
    public mutating func pause(_ topic: String) { paused.insert(topic) }

    /// Continues deliveries of a topic.
    public mutating func resume(_ topic: String) { paused.remove(topic) }

    /// The partitions to fetch from, each with the offset of its next record. Rotates, so that all get their turn.
    public mutating func nextFetches() -> [(partition: TopicPartition, offset: Int64)] {
        guard unfinished < window else { return [] }
        let ready = order.filter { capacity(of: $0) > 0 }
        guard !ready.isEmpty else { return [] }
        rotation = (rotation + 1) % ready.count
        return (ready[rotation...] + ready[..<rotation]).compactMap { partition in
            partitions[partition].map { (partition, $0.position) }
        }
    }

    /// How many records of the partition may be delivered now.
    public func capacity(of partition: TopicPartition) -> Int {
        guard let ledger = partitions[partition], !paused.contains(partition.topic) else { return 0 }
        return max(0, min(window - unfinished, maxTail - ledger.tail))
    }

    /// Counts a record as in flight. Returns false for a record that must not be delivered: revoked or already
    /// delivered.
    public mutating func deliver(_ position: Position) -> Bool {
        guard partitions[position.partition]?.deliver(position.offset) == true else { return false }
        unfinished += 1
        return true
    }

    /// Counts a record as finished. Returns the effect on its partition's offset, and whether a full partition has
    /// room.
    public mutating func finish(_ position: Position) -> (action: OffsetLedger.Action, frees: Bool) {
        let wasFull = capacity(of: position.partition) == 0
        let action = partitions[position.partition]?.finish(position.offset) ?? .ignored
        if action != .ignored { unfinished -= 1 }
        return (action, wasFull && action != .ignored)
    }

    /// The offsets to commit: of each partition whose finished prefix has grown since the last commit.
    public var uncommitted: [TopicPartition: Int64] { partitions.compactMapValues(\.uncommitted) }

    /// Records that these offsets are durable at the broker.
    public mutating func commit(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition]?.commit(offset) }
    }
}
