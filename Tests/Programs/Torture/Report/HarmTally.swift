/// What was done to a cluster, in numbers.
struct HarmTally: Sendable {
    var done: [Harm: Int] = [:]
    /// The kills of workers.
    var workersKilled = 0
    /// Records of jobs that were sent again.
    var jobsResent = 0
    /// Records that nothing can read.
    var garbageSent = 0
    /// Records of jobs that are in their topic twice though they were sent once.
    var duplicates = 0
    /// Dead letters. Each record of garbage has to become one.
    var deadLetters = 0
    /// Jobs that may be delivered again because a topic was deleted or its offsets were set back.
    var jobsExposed = 0
    /// Files that people edited, deleted, renamed or put there.
    var filesTouched = 0
    /// Roles that ended by themselves and were started again.
    var rolesRestarted = 0
    /// Workers that did not end in order when they were told to.
    var disorderlyEnds: [String] = []
    /// Committed offsets that went back, or that lie behind the topic's end: sentences.
    var offsetComplaints: [String] = []

    mutating func count(_ harm: Harm) { done[harm, default: 0] += 1 }

    var total: Int { done.values.reduce(0, +) }

    var description: String {
        let parts = done.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) × \($0.key.rawValue)" }
        var text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        if workersKilled > 0 { text += " (\(workersKilled) of workers)" }
        if jobsResent > 0 { text += "; \(jobsResent) jobs sent again" }
        if duplicates > 0 { text += "; \(duplicates) jobs twice in their topic" }
        if garbageSent > 0 { text += "; \(garbageSent) records of garbage" }
        if filesTouched > 0 { text += "; \(filesTouched) files touched by people" }
        if rolesRestarted > 0 { text += "; \(rolesRestarted) roles ended by themselves and were started again" }
        return text
    }

    /// The sums over two runs.
    static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.done.merge(b.done, uniquingKeysWith: +)
        sum.workersKilled += b.workersKilled
        sum.jobsResent += b.jobsResent
        sum.garbageSent += b.garbageSent
        sum.duplicates += b.duplicates
        sum.filesTouched += b.filesTouched
        sum.rolesRestarted += b.rolesRestarted
        return sum
    }
}
