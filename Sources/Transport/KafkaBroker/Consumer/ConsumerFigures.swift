internal import Broker

struct ConsumerFigures {
    private var counters = KafkaStatistics.Consumer()
    private var ends: [TopicPartition: Int64] = [:]
    private var violations: [String] = []

    mutating func recordAssignment() { counters.rebalances += 1 }
    mutating func recordCommit() { counters.commits += 1 }
    mutating func recordRecreation() { counters.recreations += 1 }
    mutating func measured(_ ends: [TopicPartition: Int64]) { self.ends = ends }

    mutating func record(_ violations: [String]) {
        counters.violations += violations.count
        self.violations += violations
    }

    /// Returns each message about a refused commit once.
    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    /// The statistics, with the number of uncommitted records of each partition.
    ///
    /// - Parameter committed: the offset of each partition's next record.
    func statistics(committed: [TopicPartition: Int64]) -> KafkaStatistics.Consumer {
        var statistics = counters
        for (partition, end) in ends {
            if let next = committed[partition] { statistics.lag[partition] = max(0, end - next) }
        }
        return statistics
    }
}
