/// The settings of a run.
struct Plan {
    let scenario: Scenario
    let seed: UInt64
    let jobs: Int
    let harms: Int
    let workers: Int
    /// The longest time for the harm, and again for the remaining work.
    let patience: Duration
    /// Duration for which every broker is away in an outage.
    let outage: Duration

    /// One source in this many is poison: one in a hundred, and at least one of each kind. Nil for none.
    var poisonInterval: Int? {
        guard scenario.hasPoison else { return nil }
        return max(1, min(100, jobs / (scenario == .poison ? 2 : 1) / (Poison.allCases.count + 1)))
    }
}
