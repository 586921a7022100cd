internal import Broker

/// Records that were fetched and not yet handed out, by partition: a value; the poll thread fills it.
///
/// It is what may be in memory of each partition. A partition that is full for longer than a moment is paused at
/// librdkafka, and resumed when half of it is handed out; for that moment the poll thread rests instead, since every
/// pause throws away what librdkafka fetched ahead.
struct FetchBuffer {
    /// How a record followed those before it.
    enum Arrival: Hashable, Sendable {
        /// It is the first since the partition was assigned.
        case begins
        case follows
        /// Its offset is below one that came before: the topic was made anew, or lost records.
        case rewinds
        /// Its partition is no longer this member's.
        case strays
    }

    /// What the poll thread is to do about full partitions.
    enum Flow: Hashable, Sendable {
        case runs
        case rests(until: ContinuousClock.Instant)
        case pauses(Set<TopicPartition>)
        case resumes(Set<TopicPartition>)
    }

    static let mostRecords = 1024
    static let mostBytes = 512 * 1024
    /// So long a full partition holds up the others before it is paused.
    static let grace = Duration.milliseconds(100)

    private struct Lane {
        var records: [Delivery] = []
        /// Index of the first record that was not handed out.
        var head = 0
        var bytes = 0
        /// Offset after the last record that came.
        var next: Int64?
        var isPaused = false

        var count: Int { records.count - head }
        var isFull: Bool { count >= mostRecords || bytes >= mostBytes }
        var isHalfEmpty: Bool { count <= mostRecords / 2 && bytes <= mostBytes / 2 }
    }

    private var lanes: [TopicPartition: Lane] = [:]
    /// Since when; not those that are paused.
    private var full: [TopicPartition: ContinuousClock.Instant] = [:]
    private var drained: Set<TopicPartition> = []
    /// The poll thread rests because of a partition that is no longer full, or could resume one.
    var isHeldUp: Bool { !drained.isEmpty || wasEmptied }
    private var wasEmptied = false
    private var turn = 0

    var partitions: Set<TopicPartition> { Set(lanes.keys) }
    var isEmpty: Bool { lanes.values.allSatisfy { $0.count == 0 } }
    var count: Int { lanes.values.reduce(0) { $0 + $1.count } }
    var paused: Set<TopicPartition> { Set(lanes.filter(\.value.isPaused).keys) }

    /// Where to fetch on: after the last record that came, nil where none did.
    var next: [TopicPartition: Int64?] { lanes.mapValues(\.next) }

    /// - Parameter offsets: where the partition begins; nil where the first record will tell.
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
        guard var lane = lanes.removeValue(forKey: partition) else { return .strays }
        defer { lanes[partition] = lane }
        let offset = delivery.position.offset
        let arrival: Arrival = lane.next.map { offset < $0 ? .rewinds : .follows } ?? .begins
        // What was fetched of a topic that is gone is not handed out.
        if arrival == .rewinds { lane = Lane(isPaused: lane.isPaused) }
        lane.records.append(delivery)
        lane.bytes += delivery.record.sizeBytes
        lane.next = offset + 1
        if lane.isFull && !lane.isPaused && full[partition] == nil { full[partition] = now }
        return arrival
    }

    func holds(_ partition: TopicPartition) -> Bool { (lanes[partition]?.count ?? 0) > 0 }

    /// Hands out the next records of one partition.
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

    /// Hands out records of any partitions, beginning with another one every time.
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
        return now < oldest + Self.grace ? .rests(until: oldest + Self.grace) : .pauses(Set(full.keys))
    }

    /// The poll thread did what `flow` asked for.
    mutating func performed(_ flow: Flow) {
        switch flow {
        case .runs, .rests: break
        case .pauses(let partitions):
            for partition in partitions {
                lanes[partition]?.isPaused = true
                // What was handed out while librdkafka was being told: nobody takes from an empty one again.
                if lanes[partition]?.isHalfEmpty == true { drained.insert(partition) }
            }
            full = full.filter { !partitions.contains($0.key) }
        case .resumes(let partitions):
            for partition in partitions { lanes[partition]?.isPaused = false }
            drained.subtract(partitions)
        }
    }
}
