internal import Broker

/// What a consumer has counted and measured, for its statistics.
struct ConsumerFigures {
    private var counters = KafkaStatistics.Consumer()
    /// The offset after each partition's newest record, if it is known.
    private var ends: [TopicPartition: Int64] = [:]
    private var violations: [String] = []

    mutating func recordAssignment() { counters.rebalances += 1 }
    mutating func recordCommit() { counters.commits += 1 }
    mutating func recordRecreation() { counters.recreations += 1 }
    mutating func measured(_ ends: [TopicPartition: Int64]) { self.ends = ends }

    /// Notes sentences about commits that were refused.
    mutating func record(_ violations: [String]) {
        counters.violations += violations.count
        self.violations += violations
    }

    /// Sentences about refused commits. Each is returned once.
    mutating func takeViolations() -> [String] {
        defer { violations = [] }
        return violations
    }

    /// What was counted, with the number of records of each partition that are not committed.
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
