/// What a run does, as the command line asks for it.
struct Plan {
    let scenario: Scenario
    let seed: UInt64
    let jobs: Int
    let harms: Int
    let workers: Int
    /// The longest time for the harm; and again for what is left to do after it.
    let patience: Duration
    /// How long every broker is away in an outage.
    let outage: Duration

    /// One source in this many is poison: one in a hundred, and at least one of each kind. Nil for none.
    var poisonInterval: Int? {
        guard scenario.hasPoison else { return nil }
        return max(1, min(100, jobs / (scenario == .poison ? 2 : 1) / (Poison.allCases.count + 1)))
    }
}
