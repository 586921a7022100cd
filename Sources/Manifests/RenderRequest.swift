public import Jobs

/// What a worker asks of a render process.
public struct RenderRequest: Hashable, Sendable {
    public let job: Job

    public init(job: Job) { self.job = job }
}
