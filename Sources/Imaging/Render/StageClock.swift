internal import Clock
internal import Manifests

/// Adds up how long each stage of a job took.
struct StageClock {
    enum Stage: String, CaseIterable {
        case read, decode, develop, encode, write
    }

    private var spent: [Stage: Duration] = [:]

    /// Runs `body` and adds its time to the stage.
    mutating func measure<Value: ~Copyable, Failure: Error>(
        _ stage: Stage, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { spent[stage, default: .zero] += ContinuousClock.now - start }
        return try body()
    }

    /// Adds time that was measured elsewhere.
    mutating func add(_ stage: Stage, _ time: Duration) { spent[stage, default: .zero] += time }

    /// In the order of the stages.
    var timings: [StageTiming] {
        Stage.allCases.compactMap { stage in
            spent[stage].map { StageTiming(stage: stage.rawValue, microseconds: $0.wholeMicroseconds) }
        }
    }
}
