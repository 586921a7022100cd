public import Jobs

/// The state of a worker, published by itself in the compacted workers topic under its name.
public struct WorkerStatus: Hashable, Sendable {
    /// The worker's name.
    public let worker: String
    /// When it was published, in milliseconds since 1970.
    public let atMilliseconds: Int64
    /// Jobs it can render at once.
    public let slots: UInt32
    /// The jobs it is rendering.
    public let currentJobs: [JobID]
    /// Jobs that it completed since it started.
    public let completed: UInt64
    /// Jobs that it ended without a rendition since it started.
    public let failed: UInt64
    /// Version of its develop engine.
    public let engine: UInt32
    /// What it is doing, for people: "working", "paused".
    public let state: String
    /// Offset in the status topic below which it does what every record says; 0 if a former version wrote it.
    public let directivesOffset: Int64
    /// The machine's name; empty if a former version wrote it.
    public let node: String
    /// Memory of the worker and its render processes, in bytes; 0 if a former version wrote it.
    public let memoryBytes: UInt64
    /// The files of the first of `currentJobs`, in their order, for people; empty if a former version wrote it.
    public let currentFiles: [String]

    /// The parameters are the properties of the same names.
    public init(
        worker: String, atMilliseconds: Int64, slots: UInt32, currentJobs: [JobID], completed: UInt64, failed: UInt64,
        engine: UInt32 = Engine.version, state: String, directivesOffset: Int64 = 0,
        node: String = "", memoryBytes: UInt64 = 0, currentFiles: [String] = []
    ) {
        self.worker = worker
        self.atMilliseconds = atMilliseconds
        self.slots = slots
        self.currentJobs = currentJobs
        self.completed = completed
        self.failed = failed
        self.engine = engine
        self.state = state
        self.directivesOffset = directivesOffset
        self.node = node
        self.memoryBytes = memoryBytes
        self.currentFiles = currentFiles
    }
}
