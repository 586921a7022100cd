internal import Jobs

/// The last reported jobs, so that a job which a killed run rendered before is reported once. Holds more jobs than one
/// kill can repeat.
struct RecentJobs {
    private struct Key: Hashable {
        let job: JobID
        let round: UInt32
    }

    private var known: Set<Key> = []
    private var order: [Key] = []
    private static let maxCount = 8192

    /// - Returns: false for a known job.
    mutating func insert(_ job: JobID, round: UInt32) -> Bool {
        let key = Key(job: job, round: round)
        guard known.insert(key).inserted else { return false }
        order.append(key)
        if order.count >= 2 * Self.maxCount {
            for old in order.prefix(Self.maxCount) { known.remove(old) }
            order.removeFirst(Self.maxCount)
        }
        return true
    }
}
