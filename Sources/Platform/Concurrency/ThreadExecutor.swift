internal import Glibc

/// Runs an actor's jobs in order on its own thread, for blocking work such as SQLite, walking folders and waiting for
/// processes. A slow disk then blocks only that actor, not Swift's cooperative pool.
///
///     actor Store {
///         private let executor = ThreadExecutor(name: "store")
///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///     }
///
/// The thread ends once the executor is released and its last job has run.
public final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    /// Starts the thread; `top` shows the first 15 bytes of its name. Ends the process if the system has no thread
    /// left, so use it for a fixed number of threads.
    public init(name: String) {
        if !queue.startThread(name: name) { Self.endWithoutThread(name) }
    }

    /// Without the thread nothing can run, and ending the process is safe at any moment. Status 70, as for other
    /// machine faults.
    private static func endWithoutThread(_ name: String) -> Never {
        let text =
            "The system has no thread left (\(name)). Raise the limit of processes (ulimit -u, a unit's TasksMax=, "
            + "or a container's pids.max) and of address space (ulimit -v), and run the same command again; it carries on.\n"
        let bytes = Array(text.utf8)
        _ = unsafe write(2, bytes, bytes.count)
        _exit(70)
    }

    /// Starts the thread, for a number of threads that the user chooses. Returns nil if the system has no thread left.
    public init?(ifPossible name: String) {
        guard queue.startThread(name: name) else { return nil }
    }

    deinit { queue.close() }

    /// Appends a job to the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        // Retains the executor until the job has run, because the job may release the actor that owns it.
        queue.append(.init(job: UnownedJob(job), executor: self))
    }

    /// For an actor's `unownedExecutor`. Does not retain the executor; the actor must.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { unsafe UnownedSerialExecutor(ordinary: self) }
}

/// The queued jobs, in order of arrival.
///
/// `@unchecked Sendable`: `mutex` guards `waiting` and `isClosed`; the two pointers never change.
@safe private final class JobQueue: @unchecked Sendable {
    struct Entry {
        let job: UnownedJob
        let executor: ThreadExecutor

        func run() { unsafe job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
    }

    // pthread objects need a stable address, so both live on the heap.
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

    /// - Returns: false if the system has no thread left.
    func startThread(name: String) -> Bool {
        // Not joined: the thread ends when the queue is closed and empty.
        SystemThread(name: name) { self.run() } != nil
    }

    private func run() {
        while let entries = takeAll() {
            for entry in entries { entry.run() }
        }
    }

    /// Waits for jobs and returns all that have arrived, in order; nil once the queue is closed and empty.
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
