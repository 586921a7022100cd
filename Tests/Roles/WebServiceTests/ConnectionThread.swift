import Concurrency

/// A thread that may block, like those of a server's connections: on Swift's few own threads, a request that waits for
/// a task could wait for ever, because the task needs one too.
@globalActor actor ConnectionThread {
    static let shared = ConnectionThread()
    private let executor = ThreadExecutor(name: "connection")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
