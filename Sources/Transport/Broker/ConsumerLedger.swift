/// A group member's bookkeeping over the partitions it has: its window, its pauses, its offsets. Every back end has
/// one a consumer, behind a mutex; the broker's poll loop asks it what to fetch, and tells it what came.
public struct ConsumerLedger: Sendable {
    /// Most records delivered and unfinished, over all partitions.
    public let window: Int
    /// Most records of one partition delivered from its lowest unfinished one on. One job that takes for ever would
    /// otherwise gather finished records behind it without end, all of them done again after a crash.
    public let longestTail: Int
    private var partitions: [TopicPartition: OffsetLedger] = [:]
    /// Their keys in order: there are many, and every poll asks.
    private var order: [TopicPartition] = []
    private var paused: Set<String> = []
    private var turn = 0

    public init(window: Int) {
        self.window = max(1, window)
        longestTail = max(64, 8 * self.window)
    }

    public var assignment: Set<TopicPartition> { Set(partitions.keys) }
    /// What is durable as the group's, or where it began.
    public var committed: [TopicPartition: Int64] { partitions.mapValues(\.committed) }
    /// Delivered and not finished, of all partitions.
    public private(set) var unfinished = 0

    /// Adds partitions, each from the offset the group committed.
    public mutating func assign(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition] = OffsetLedger(startingAt: offset) }
        recount()
    }

    /// Takes partitions away. Answers what to commit for them first; what is in flight is ignored from now on.
    public mutating func revoke(_ taken: Set<TopicPartition>) -> [TopicPartition: Int64] {
        var finished: [TopicPartition: Int64] = [:]
        for partition in taken { finished[partition] = partitions.removeValue(forKey: partition)?.uncommitted }
        recount()
        return finished
    }

    private mutating func recount() {
        order = partitions.keys.sorted()
        unfinished = partitions.values.reduce(0) { $0 + $1.unfinished }
    }

    public mutating func pause(_ topic: String) { paused.insert(topic) }
    public mutating func resume(_ topic: String) { paused.remove(topic) }

    /// The partitions to fetch from, each with its offset. Another one begins every time, so that none starves.
    public mutating func nextRound() -> [(partition: TopicPartition, offset: Int64)] {
        guard unfinished < window else { return [] }
        let ready = order.filter { room(in: $0) > 0 }
        guard !ready.isEmpty else { return [] }
        turn = (turn + 1) % ready.count
        return (ready[turn...] + ready[..<turn]).compactMap { partition in
            partitions[partition].map { (partition, $0.position) }
        }
    }

    /// How many records of the partition may be delivered now.
    public func room(in partition: TopicPartition) -> Int {
        guard let ledger = partitions[partition], !paused.contains(partition.topic) else { return 0 }
        return max(0, min(window - unfinished, longestTail - ledger.tail))
    }

    /// Answers false for a record that must not be delivered: its partition was taken away, or it came before.
    public mutating func deliver(_ position: Position) -> Bool {
        guard partitions[position.partition]?.deliver(position.offset) == true else { return false }
        unfinished += 1
        return true
    }

    /// What finishing led to, and whether deliveries that were held back may go on.
    public mutating func finish(_ position: Position) -> (action: OffsetLedger.Action, opens: Bool) {
        let held = room(in: position.partition) == 0
        let action = partitions[position.partition]?.finish(position.offset) ?? .ignored
        if action != .ignored { unfinished -= 1 }
        return (action, held && action != .ignored)
    }

    /// What to commit now.
    public var uncommitted: [TopicPartition: Int64] { partitions.compactMapValues(\.uncommitted) }

    /// The broker has made these durable.
    public mutating func commit(_ offsets: [TopicPartition: Int64]) {
        for (partition, offset) in offsets { partitions[partition]?.commit(offset) }
    }
}
