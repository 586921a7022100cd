/// Whether one of the promises held.
struct Verdict {
    let name: String
    let holds: Bool
    let text: String
}

/// The result of one run.
struct Outcome {
    let verdicts: [Verdict]
    let tally: HarmTally
    let jobs: Int
    let renders: Int
    /// Renders beyond one for each job.
    let repeatedRenders: Int

    var holds: Bool { verdicts.allSatisfy(\.holds) }

    var broken: [Verdict] { verdicts.filter { !$0.holds } }
}
