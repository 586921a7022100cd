/// Whether one of the promises held.
struct TortureVerdict {
    let name: String
    let holds: Bool
    let text: String
}

/// What came of one run, and its row in a table.
struct TortureOutcome {
    let verdicts: [TortureVerdict]
    let story: TortureStory
    let jobs: Int
    let renders: Int
    /// Renders beyond one a job.
    let again: Int

    var holds: Bool { verdicts.allSatisfy(\.holds) }

    var broken: [TortureVerdict] { verdicts.filter { !$0.holds } }
}

/// Rows of Markdown: one a run, and one for all of them.
struct TortureTable {
    let scenario: TortureScenario
    private var runs = 0
    private var heldRuns = 0
    private var sum = TortureStory()
    private var renders = 0
    private var again = 0
    private var jobs = 0

    init(_ scenario: TortureScenario) { self.scenario = scenario }

    static let head = "| run | jobs | harm | done again | held | seconds |\n|---|---|---|---|---|---|"

    mutating func row(_ outcome: TortureOutcome, seed: UInt64, time: Duration) -> String {
        runs += 1
        heldRuns += outcome.holds ? 1 : 0
        sum = sum + outcome.story
        renders += outcome.renders
        again += outcome.again
        jobs += outcome.jobs
        let broken = outcome.broken.map { "\($0.name): \($0.text)" }.joined(separator: "; ")
        return Self.row(
            "\(scenario.rawValue), seed \(seed)", outcome.jobs, outcome.story.text, outcome.again,
            outcome.holds ? "all" : "BROKEN \(broken)", "\(time.components.seconds)")
    }

    /// - Parameter reason: why there is no outcome.
    mutating func failed(seed: UInt64, _ reason: String) -> String {
        runs += 1
        return Self.row("\(scenario.rawValue), seed \(seed)", 0, "", 0, "BROKEN \(reason)", "")
    }

    var total: String {
        Self.row("\(scenario.rawValue), \(runs) seeds", jobs, sum.text, again, "\(heldRuns) of \(runs) runs", "")
    }

    private static func row(
        _ run: String, _ jobs: Int, _ harm: String, _ again: Int, _ held: String, _ seconds: String
    ) -> String {
        let held = held.replacing("|", with: "/").replacing("\n", with: " ")
        return "| \(run) | \(jobs) | \(harm) | \(again) | \(held) | \(seconds) |"
    }
}
