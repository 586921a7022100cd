internal import Broker

/// Records that were handed out and are not finished: a second book beside the ledger's, kept in a plainer way, so that
/// neither can be wrong alone. It says how old the oldest is, and judges every commit before it is made.
struct InFlight {
    private var open: [TopicPartition: [Int64: ContinuousClock.Instant]] = [:]
    /// Highest offset that was committed of each partition since it was assigned.
    private var committed: [TopicPartition: Int64] = [:]

    mutating func deliver(_ position: Position, now: ContinuousClock.Instant) {
        open[position.partition, default: [:]][position.offset] = now
    }

    mutating func finish(_ position: Position) { open[position.partition]?[position.offset] = nil }

    /// The partitions are no longer this member's, or begin anew.
    mutating func forget(_ partitions: some Sequence<TopicPartition>) {
        for partition in partitions {
            open[partition] = nil
            committed[partition] = nil
        }
    }

    /// When the oldest of them was handed out.
    var oldest: ContinuousClock.Instant? { open.values.lazy.compactMap { $0.values.min() }.min() }

    func holds(_ partitions: Set<TopicPartition>, besides released: Set<Position> = []) -> Bool {
        partitions.contains { partition in
            open[partition]?.keys.contains { !released.contains(Position(partition: partition, offset: $0)) } ?? false
        }
    }

    /// What may be committed of these offsets: none above a record that is not finished, none below the last.
    ///
    /// - Returns: the offsets that keep the rule, and a sentence for each that does not.
    mutating func judge(_ offsets: [TopicPartition: Int64]) -> (good: [TopicPartition: Int64], complaints: [String]) {
        var good: [TopicPartition: Int64] = [:]
        var complaints: [String] = []
        for (partition, offset) in offsets {
            let place = "\(partition.topic)/\(partition.partition)"
            if let lowest = open[partition]?.keys.min(), lowest < offset {
                complaints.append("\(place) was about to be committed to \(offset), and \(lowest) is not finished")
            } else if let last = committed[partition], offset < last {
                complaints.append("\(place) was about to be committed to \(offset), and was at \(last)")
            } else {
                good[partition] = offset
                committed[partition] = offset
            }
        }
        return (good, complaints)
    }
}
