/// Counts of the harm to a cluster.
struct HarmTally: Sendable {
    var done: [Harm: Int] = [:]
    /// Kills of workers.
    var workersKilled = 0
    /// Job records that were sent again.
    var jobsResent = 0
    /// Unreadable records.
    var garbageSent = 0
    /// Job records that are in their topic twice although they were sent once.
    var duplicates = 0
    /// Dead letters. Each garbage record must become one.
    var deadLetters = 0
    /// Jobs that may be delivered again because a topic was deleted or its offsets were reset.
    var jobsExposed = 0
    /// Files that users edited, deleted, renamed or added.
    var filesTouched = 0
    /// Roles that ended on their own and were restarted.
    var rolesRestarted = 0
    /// Workers that did not end cleanly when they were stopped.
    var disorderlyEnds: [String] = []
    /// Committed offsets that decreased, or exceed the topic's end: sentences.
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
        if filesTouched > 0 { text += "; \(filesTouched) files touched by users" }
        if rolesRestarted > 0 { text += "; \(rolesRestarted) roles ended on their own and were restarted" }
        return text
    }

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
