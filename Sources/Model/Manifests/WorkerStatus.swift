public import Jobs

/// What a worker says of itself, in the compacted workers topic under its name.
public struct WorkerStatus: Hashable, Sendable {
    public let worker: String
    /// Milliseconds since 1970, when it said so.
    public let atMilliseconds: Int64
    /// Jobs it can render at once.
    public let slots: UInt32
    /// The jobs it is rendering.
    public let currentJobs: [JobID]
    /// Jobs it ended since it started, by outcome.
    public let completed: UInt64
    public let failed: UInt64
    public let engine: UInt32
    /// What it is doing, as a word for people: "working", "paused".
    public let state: String

    public init(
        worker: String, atMilliseconds: Int64, slots: UInt32, currentJobs: [JobID], completed: UInt64, failed: UInt64,
        engine: UInt32 = Engine.version, state: String
    ) {
        self.worker = worker
        self.atMilliseconds = atMilliseconds
        self.slots = slots
        self.currentJobs = currentJobs
        self.completed = completed
        self.failed = failed
        self.engine = engine
        self.state = state
    }
}
