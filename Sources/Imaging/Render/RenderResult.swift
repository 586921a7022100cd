public import Manifests

/// How a job ended, and how long each stage took.
public struct RenderResult: Sendable {
    /// The renditions, or why there are none.
    public let outcome: Manifest.Outcome
    /// In the order of the stages.
    public let timings: [StageTiming]
    /// What was written since the last question for a frame's files.
    public let outputs: [FrameOutput]

    /// The parameters are the properties of the same names.
    public init(outcome: Manifest.Outcome, timings: [StageTiming] = [], outputs: [FrameOutput] = []) {
        self.outcome = outcome
        self.timings = timings
        self.outputs = outputs
    }
}
