internal import Glibc

/// Runs an actor's jobs one after another on its own thread, for work that blocks: SQLite, walking folders, waiting for
/// a process. A slow disk then holds up that actor only, not Swift's cooperative pool.
///
///     actor Store {
///         private let executor = ThreadExecutor(name: "store")
///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///     }
///
/// The thread ends once the executor has been released and its last job has run.
public final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    /// Starts the thread. Ends the process if the system has no thread left, so use it for a fixed number of threads.
    ///
    /// - Parameter name: shown by `top` and debuggers; the kernel keeps 15 bytes.
    public init(name: String) {
        if !queue.startThread(name: name) { Self.endWithoutThread(name) }
    }

    /// Nothing can be done without the thread, and nothing is lost by an end at any moment. Status 70, as for other faults of the
    /// machine.
    private static func endWithoutThread(_ name: String) -> Never {
        let text =
            "The system has no thread left (\(name)). Raise its limit of processes (ulimit -u, TasksMax= of a unit, or "
            + "pids.max of a container), and of address space where there is one (ulimit -v), and run the same command again; "
            + "it carries on.\n"
        let bytes = Array(text.utf8)
        _ = unsafe write(2, bytes, bytes.count)
        _exit(70)
    }

    /// Starts the thread. Use it if the user chooses the number of threads.
    ///
    /// - Parameter name: shown by `top` and debuggers; the kernel keeps 15 bytes.
    /// - Returns: nil if the system has no thread left.
    public init?(ifPossible name: String) {
        guard queue.startThread(name: name) else { return nil }
    }

    deinit { queue.close() }

    /// Adds a job. It runs on the executor's thread, after all jobs that were added before.
    public func enqueue(_ job: consuming ExecutorJob) {
        // The entry retains the executor until the job has run, because the job may release the actor that owns it.
        queue.append(.init(job: UnownedJob(job), executor: self))
    }

    /// A reference for an actor's `unownedExecutor`. It does not keep the executor alive, so the actor must.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

/// The jobs that wait for the thread, in the order they arrived.
///
/// `@unchecked Sendable`: `waiting` and `isClosed` are accessed only with `mutex` locked. The two pointers never
/// change.
@safe private final class JobQueue: @unchecked Sendable {
    struct Entry {
        let job: UnownedJob
        let executor: ThreadExecutor

        func run() { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
    }

    // A condition variable needs an address that never moves, so both live on the heap.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Entry] = []
    private var isClosed = false

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(arrived, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(arrived)
        unsafe pthread_mutex_destroy(mutex)
        unsafe arrived.deallocate()
        unsafe mutex.deallocate()
    }

    func append(_ entry: Entry) {
        withLock { waiting.append(entry) }
        unsafe pthread_cond_signal(arrived)
    }

    func close() {
        withLock { isClosed = true }
        unsafe pthread_cond_signal(arrived)
    }

    /// False if the system has no thread left.
    func startThread(name: String) -> Bool {
        // The thread is not waited for: it ends by itself when the queue is closed and empty.
        SystemThread(name: name) { self.run() } != nil
    }

    private func run() {
        while let entries = takeAll() {
            for entry in entries { entry.run() }
        }
    }

    /// Waits for the first job and returns all that have arrived, in order; nil once the queue is closed and empty.
    private func takeAll() -> [Entry]? {
        withLock {
            while waiting.isEmpty && !isClosed { unsafe pthread_cond_wait(arrived, mutex) }
            guard !waiting.isEmpty else { return nil }
            defer { waiting.removeAll() }
            return waiting
        }
    }

    private func withLock<Value>(_ body: () -> Value) -> Value {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return body()
    }
}
