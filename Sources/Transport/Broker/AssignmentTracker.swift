/// Tracks the partitions that are assigned to a member of a consumer group: which records are in flight, which topics
/// are paused, and which offsets may be committed.
///
/// A value without a clock or a broker. Every back end keeps one for each consumer behind a mutex, and asks it what to
/// fetch.
public struct AssignmentTracker: Sendable {
    /// How many records may be in flight, over all partitions.
    public let window: Int
    /// How many records of one partition may be delivered from its lowest unfinished one on. Without this limit, one
    /// endless job would collect any number of finished records behind it, which a crash would deliver again.
    public let maxTail: Int
    private var partitions: [TopicPartition: OffsetLedger] = [:]
    /// The keys of `partitions`, sorted once: there are many, and every poll needs them.
    private var order: [TopicPartition] = []
    private var paused: Set<String> = []
    private var rotation = 0

    /// Creates a tracker without partitions.
    ///
    /// - Parameter window: how many records may be in flight; at least 1.
    public init(window: Int) {
        self.window = max(1, window)
        maxTail = max(64, 8 * self.window)
    }

    /// The partitions that are assigned now.
    public var assignment: Set<TopicPartition> { Set(partitions.keys) }
    /// The offset of each partition that is durable as the group's, or from which reading began.
    public var committed: [TopicPartition: Int64] { partitions.mapValues(\.committed) }
    /// How many records are in flight: delivered and not finished.
    public private(set) var unfinished = 0

    /// Adds partitions, each with the offset that the group has committed.
    public mutating func assign(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition] = OffsetLedger(startingAt: offset) }
        recount()
    }

    /// Removes partitions. Records of theirs that are in flight are ignored from now on.
    ///
    /// - Returns: the offsets to commit for them first.
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

    /// The partitions to fetch from, each with the offset of its next record. Each call begins with another partition,
    /// so that all get their turn.
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

    /// Counts a record as in flight.
    ///
    /// - Returns: false for a record that must not be delivered, because its partition was revoked or because it was
    ///   delivered before.
    public mutating func deliver(_ position: Position) -> Bool {
        guard partitions[position.partition]?.deliver(position.offset) == true else { return false }
        unfinished += 1
        return true
    }

    /// Counts a record as finished.
    ///
    /// - Returns: what that means for its partition's offset, and whether its partition was full and has capacity now.
    public mutating func finish(_ position: Position) -> (action: OffsetLedger.Action, frees: Bool) {
        let wasFull = capacity(of: position.partition) == 0
        let action = partitions[position.partition]?.finish(position.offset) ?? .ignored
        if action != .ignored { unfinished -= 1 }
        return (action, wasFull && action != .ignored)
    }

    /// The offsets to commit now: of each partition that has finished records before its lowest unfinished one.
    public var uncommitted: [TopicPartition: Int64] { partitions.compactMapValues(\.uncommitted) }

    /// Records that the broker has made these offsets durable.
    public mutating func commit(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition]?.commit(offset) }
    }
}
