/// A Markdown table with a row for each run, and one for all of them.
struct OutcomeTable {
    let scenario: Scenario
    private var runs = 0
    private var heldRuns = 0
    private var tally = HarmTally()
    private var repeatedRenders = 0
    private var jobs = 0

    init(_ scenario: Scenario) { self.scenario = scenario }

    static let head = "| run | jobs | harm | done again | held | seconds |\n|---|---|---|---|---|---|"

    /// Adds a run.
    ///
    /// - Returns: its row.
    mutating func add(_ outcome: Outcome, seed: UInt64, time: Duration) -> String {
        runs += 1
        heldRuns += outcome.holds ? 1 : 0
        tally = tally + outcome.tally
        repeatedRenders += outcome.repeatedRenders
        jobs += outcome.jobs
        let broken = outcome.broken.map { "\($0.name): \($0.text)" }.joined(separator: "; ")
        return Self.row(
            "\(scenario.rawValue), seed \(seed)", outcome.jobs, outcome.tally.description, outcome.repeatedRenders,
            outcome.holds ? "all" : "BROKEN \(broken)", "\(time.components.seconds)")
    }

    /// Adds a run that has no outcome.
    mutating func addFailure(seed: UInt64, _ reason: String) -> String {
        runs += 1
        return Self.row("\(scenario.rawValue), seed \(seed)", 0, "", 0, "BROKEN \(reason)", "")
    }

    var total: String {
        Self.row(
            "\(scenario.rawValue), \(runs) seeds", jobs, tally.description, repeatedRenders,
            "\(heldRuns) of \(runs) runs", "")
    }

    private static func row(
        _ run: String, _ jobs: Int, _ harm: String, _ again: Int, _ held: String, _ seconds: String
    ) -> String {
        let held = held.replacing("|", with: "/").replacing("\n", with: " ")
        return "| \(run) | \(jobs) | \(harm) | \(again) | \(held) | \(seconds) |"
    }
}
