internal import Broker

/// The fetched but undelivered records, by partition. A value that the poll thread fills.
///
/// It bounds the memory of each partition. While a partition is full, the poll thread waits. If it stays full for
/// longer than `grace`, it is paused in librdkafka, and resumed once it is half empty. An immediate pause would be
/// wasteful, because each pause discards what librdkafka has fetched ahead.
struct FetchBuffer {
    /// How an arriving record relates to those before it.
    enum Arrival: Hashable, Sendable {
        /// The first record since the partition was assigned.
        case begins
        /// A later record than those before it.
        case follows
        /// A record with a lower offset than an earlier one: the topic was created again, or lost records.
        case rewinds
        /// A record of a partition that this member no longer has.
        case notAssigned
    }

    enum Flow: Hashable, Sendable {
        case runs
        case waits(until: ContinuousClock.Instant)
        case pauses(Set<TopicPartition>)
        case resumes(Set<TopicPartition>)
    }

    static let maxRecords = 1024
    static let maxBytes = 512 * 1024
    /// How long a full partition delays the others before it is paused.
    static let grace = Duration.milliseconds(100)

    private struct Lane {
        var records: [Delivery] = []
        var head = 0
        var bytes = 0
        var next: Int64?
        var isPaused = false

        var count: Int { records.count - head }
        var isFull: Bool { count >= maxRecords || bytes >= maxBytes }
        var isHalfEmpty: Bool { count <= maxRecords / 2 && bytes <= maxBytes / 2 }
    }

    private var lanes: [TopicPartition: Lane] = [:]
    /// The full partitions that are not paused, each with the time when it became full.
    private var full: [TopicPartition: ContinuousClock.Instant] = [:]
    private var drained: Set<TopicPartition> = []
    /// Whether the poll thread waits for a partition that is no longer full, or can resume a paused one.
    var needsThread: Bool { !drained.isEmpty || wasEmptied }
    private var wasEmptied = false
    private var turn = 0

    var partitions: Set<TopicPartition> { Set(lanes.keys) }
    var isEmpty: Bool { lanes.values.allSatisfy { $0.count == 0 } }
    var count: Int { lanes.values.reduce(0) { $0 + $1.count } }
    var paused: Set<TopicPartition> { Set(lanes.filter(\.value.isPaused).keys) }

    /// Where fetching continues: after the last record that arrived. Nil before the first one.
    var next: [TopicPartition: Int64?] { lanes.mapValues(\.next) }

    /// - Parameter offsets: where each partition begins; nil if it begins at its first record to arrive.
    mutating func open(_ offsets: [TopicPartition: Int64?]) {
        for (partition, offset) in offsets {
            close([partition])
            lanes[partition, default: Lane()].next = offset
        }
    }

    mutating func close(_ partitions: some Sequence<TopicPartition>) {
        for partition in partitions {
            lanes[partition] = nil
            full[partition] = nil
            drained.remove(partition)
        }
    }

    mutating func add(_ delivery: Delivery, now: ContinuousClock.Instant) -> Arrival {
        let partition = delivery.position.partition
        guard var lane = lanes.removeValue(forKey: partition) else { return .notAssigned }
        defer { lanes[partition] = lane }
        let offset = delivery.position.offset
        let arrival: Arrival = lane.next.map { offset < $0 ? .rewinds : .follows } ?? .begins
        // Drop the records of the deleted topic.
        if arrival == .rewinds { lane = Lane(isPaused: lane.isPaused) }
        lane.records.append(delivery)
        lane.bytes += delivery.record.sizeBytes
        lane.next = offset + 1
        if lane.isFull && !lane.isPaused && full[partition] == nil { full[partition] = now }
        return arrival
    }

    func holds(_ partition: TopicPartition) -> Bool { (lanes[partition]?.count ?? 0) > 0 }

    mutating func take(_ partition: TopicPartition, limit: Int) -> [Delivery] {
        guard limit > 0, var lane = lanes.removeValue(forKey: partition) else { return [] }
        defer { lanes[partition] = lane }
        let taken = Array(lane.records[lane.head...].prefix(limit))
        lane.head += taken.count
        lane.bytes -= taken.reduce(0) { $0 + $1.record.sizeBytes }
        if lane.head >= max(lane.records.count / 2, 1) {
            lane.records.removeFirst(lane.head)
            lane.head = 0
        }
        if !lane.isFull, full.removeValue(forKey: partition) != nil { wasEmptied = true }
        if lane.isPaused && lane.isHalfEmpty { drained.insert(partition) }
        return taken
    }

    /// Removes and returns records of any partitions. Each call begins with another partition.
    mutating func take(limit: Int) -> [Delivery] {
        let holding = lanes.filter { $0.value.count > 0 }.keys.sorted()
        guard !holding.isEmpty else { return [] }
        turn = (turn + 1) % holding.count
        var found: [Delivery] = []
        for partition in holding[turn...] + holding[..<turn] where found.count < limit {
            found += take(partition, limit: limit - found.count)
        }
        return found
    }

    mutating func flow(now: ContinuousClock.Instant) -> Flow {
        wasEmptied = false
        if !drained.isEmpty { return .resumes(drained) }
        guard let oldest = full.values.min() else { return .runs }
        return now < oldest + Self.grace ? .waits(until: oldest + Self.grace) : .pauses(Set(full.keys))
    }

    /// Records that the poll thread has performed the step that `flow` returned.
    mutating func performed(_ flow: Flow) {
        switch flow {
        case .runs, .waits: break
        case .pauses(let partitions):
            for partition in partitions {
                lanes[partition]?.isPaused = true
                // The partition may have been emptied meanwhile. No later `take` would notice that.
                if lanes[partition]?.isHalfEmpty == true { drained.insert(partition) }
            }
            full = full.filter { !partitions.contains($0.key) }
        case .resumes(let partitions):
            for partition in partitions { lanes[partition]?.isPaused = false }
            drained.subtract(partitions)
        }
    }
}
