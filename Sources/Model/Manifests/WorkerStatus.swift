public import Jobs

/// The state of a worker, which publishes it in the compacted workers topic under its name.
public struct WorkerStatus: Hashable, Sendable {
    /// The worker's name.
    public let worker: String
    /// The time of publication, in milliseconds since 1970.
    public let atMilliseconds: Int64
    /// The number of jobs that it can render at once.
    public let slots: UInt32
    /// The jobs being rendered.
    public let currentJobs: [JobID]
    /// Jobs completed since it started.
    public let completed: UInt64
    /// Jobs ended without a rendition since it started.
    public let failed: UInt64
    /// The version of its develop engine.
    public let engine: UInt32
    /// Its activity, for display: "working", "paused".
    public let state: String
    /// The offset in the status topic below which it follows every record; 0 if an old version wrote it.
    public let directivesOffset: Int64
    /// The machine's name; empty if an old version wrote it.
    public let node: String
    /// The memory of the worker and its render processes, in bytes; 0 if an old version wrote it.
    public let memoryBytes: UInt64
    /// The files of the first of `currentJobs`, in their order, for display; empty if an old version wrote it.
    public let currentFiles: [String]

    /// Memberwise initializer.
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
