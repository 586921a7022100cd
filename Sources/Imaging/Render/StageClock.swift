internal import Clock
internal import Manifests

struct StageClock {
    enum Stage: String, CaseIterable {
        case read, decode, develop, encode, write
    }

    private var spent: [Stage: Duration] = [:]

    mutating func measure<Value: ~Copyable, Failure: Error>(
        _ stage: Stage, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let start = ContinuousClock.now
        defer { spent[stage, default: .zero] += ContinuousClock.now - start }
        return try body()
    }

    mutating func add(_ stage: Stage, _ time: Duration) { spent[stage, default: .zero] += time }

    var timings: [StageTiming] {
        Stage.allCases.compactMap { stage in
            spent[stage].map { StageTiming(stage: stage.rawValue, microseconds: $0.wholeMicroseconds) }
        }
    }
}
