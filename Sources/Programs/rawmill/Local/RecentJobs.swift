import Jobs

/// The jobs reported last, so that one rendered twice is reported once: as many of them as a kill can repeat.
struct RecentJobs {
    private struct Key: Hashable {
        let job: JobID
        let round: UInt32
    }

    private var known: Set<Key> = []
    private var order: [Key] = []
    private static let most = 8192

    /// False for one that is among them.
    mutating func insert(_ job: JobID, round: UInt32) -> Bool {
        let key = Key(job: job, round: round)
        guard known.insert(key).inserted else { return false }
        order.append(key)
        if order.count >= 2 * Self.most {
            for old in order.prefix(Self.most) { known.remove(old) }
            order.removeFirst(Self.most)
        }
        return true
    }
}
