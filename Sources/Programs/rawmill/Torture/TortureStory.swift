/// What was done to a cluster, in numbers.
struct TortureStory: Sendable {
    var done: [TortureHarm: Int] = [:]
    /// Of the kills, those of workers.
    var workersKilled = 0
    /// Records sent again, of jobs alone; and records that are no job.
    var jobsResent = 0
    var garbageSent = 0
    /// Records of jobs that stand twice though nobody sent them twice.
    var copies = 0
    /// Each record of garbage has to become one.
    var deadLetters = 0
    /// Jobs that may be delivered again because a topic was deleted or its offsets were set back.
    var jobsExposed = 0
    /// Roles that ended by themselves and were started again.
    var endedByThemselves = 0
    /// Workers that did not end in good order when they were told to.
    var disorderlyEnds: [String] = []
    /// Committed offsets that went back, or stood behind the topic's end: sentences.
    var offsetComplaints: [String] = []

    mutating func count(_ harm: TortureHarm) { done[harm, default: 0] += 1 }

    var total: Int { done.values.reduce(0, +) }

    var text: String {
        let parts = done.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.value) × \($0.key.rawValue)" }
        var text = parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
        if workersKilled > 0 { text += " (\(workersKilled) of workers)" }
        if jobsResent > 0 { text += "; \(jobsResent) jobs sent again" }
        if copies > 0 { text += "; \(copies) jobs twice in their topic" }
        if garbageSent > 0 { text += "; \(garbageSent) records of garbage" }
        if endedByThemselves > 0 { text += "; \(endedByThemselves) roles ended by themselves and were started again" }
        return text
    }

    /// What was done in several runs, together.
    static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.done.merge(b.done, uniquingKeysWith: +)
        sum.workersKilled += b.workersKilled
        sum.jobsResent += b.jobsResent
        sum.garbageSent += b.garbageSent
        sum.copies += b.copies
        sum.endedByThemselves += b.endedByThemselves
        return sum
    }
}
