internal import Broker

/// A second, simpler record of the records in flight. Every commit is checked against it, so that a bug here or in
/// `AssignmentTracker` cannot lose records. It also knows the age of the oldest record in flight.
struct InFlightRecords {
    private var open: [TopicPartition: [Int64: ContinuousClock.Instant]] = [:]
    /// The highest offset committed of each partition since it was assigned.
    private var committed: [TopicPartition: Int64] = [:]

    mutating func deliver(_ position: Position, now: ContinuousClock.Instant) {
        open[position.partition, default: [:]][position.offset] = now
    }

    mutating func finish(_ position: Position) { open[position.partition]?[position.offset] = nil }

    mutating func forget(_ partitions: some Sequence<TopicPartition>) {
        for partition in partitions {
            open[partition] = nil
            committed[partition] = nil
        }
    }

    var oldest: ContinuousClock.Instant? { open.values.lazy.compactMap { $0.values.min() }.min() }

    func holds(_ partitions: Set<TopicPartition>, besides released: Set<Position> = []) -> Bool {
        partitions.contains { partition in
            open[partition]?.keys.contains { !released.contains(Position(partition: partition, offset: $0)) } ?? false
        }
    }

    /// Checks offsets before they are committed: none may exceed an unfinished record, or be below the last commit.
    /// Returns the offsets that may be committed, and a message for each of the others.
    mutating func judge(_ offsets: [TopicPartition: Int64]) -> (good: [TopicPartition: Int64], complaints: [String]) {
        var good: [TopicPartition: Int64] = [:]
        var complaints: [String] = []
        for (partition, offset) in offsets {
            let name = "\(partition.topic)/\(partition.partition)"
            if let lowest = open[partition]?.keys.min(), lowest < offset {
                complaints.append("\(name) was about to be committed to \(offset), but \(lowest) is not finished")
            } else if let last = committed[partition], offset < last {
                complaints.append("\(name) was about to be committed to \(offset), below \(last)")
            } else {
                good[partition] = offset
                committed[partition] = offset
            }
        }
        return (good, complaints)
    }
}
