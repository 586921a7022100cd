public import Jobs

/// A worker's request to a render process.
public struct RenderRequest: Hashable, Sendable {
    /// What to render.
    public let job: Job
    /// How many threads may share the work; 0 for as many as the process was started with. The files do not depend on
    /// it.
    public let threads: UInt32

    /// - Parameters:
    /// - job: what to render.
    /// - threads: how many may share the work; 0 for as many as the process was started with.
    public init(job: Job, threads: UInt32 = 0) {
        self.job = job
        self.threads = threads
    }
}
