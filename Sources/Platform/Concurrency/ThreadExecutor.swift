internal import Glibc

/// Runs an actor's jobs one after another on a thread of its own, for work that blocks: SQLite, walking folders, waiting
/// for a process. So a slow disk holds up that actor and nothing of Swift's cooperative pool.
///
///     actor Store {
///         private let executor = ThreadExecutor(name: "store")
///         nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
///     }
///
/// The thread ends when the executor and the jobs given to it are gone.
public final class ThreadExecutor: SerialExecutor {
    private let queue = JobQueue()

    /// - Parameter name: for `top` and debuggers; the kernel keeps 15 bytes.
    public init(name: String) {
        // Only a machine out of threads or memory: neither leaves anything to do.
        precondition(queue.startThread(name: name), "no thread for \(name)")
    }

    /// Nil where the system has no thread left: for as many as a user asks for.
    public init?(ifPossible name: String) {
        guard queue.startThread(name: name) else { return nil }
    }

    deinit { queue.close() }

    public func enqueue(_ job: consuming ExecutorJob) {
        // The entry keeps the executor alive until the job has run, for a job may release the actor that owns it.
        queue.append(.init(job: UnownedJob(job), executor: self))
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// Jobs in the order they came, and the thread that waits for them.
///
/// `@unchecked Sendable`: `waiting` and `isClosed` are touched only with `mutex` held.
private final class JobQueue: @unchecked Sendable {
    struct Entry {
        let job: UnownedJob
        let executor: ThreadExecutor

        func run() { job.runSynchronously(on: executor.asUnownedSerialExecutor()) }
    }

    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrived = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Entry] = []
    private var isClosed = false
    /// Written once, before the thread starts.
    private var name = ""

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrived, nil)
    }

    deinit {
        pthread_cond_destroy(arrived)
        pthread_mutex_destroy(mutex)
        arrived.deallocate()
        mutex.deallocate()
    }

    func append(_ entry: Entry) {
        locked { waiting.append(entry) }
        pthread_cond_signal(arrived)
    }

    func close() {
        locked { isClosed = true }
        pthread_cond_signal(arrived)
    }

    /// False where the system has no thread left.
    func startThread(name: String) -> Bool {
        self.name = name
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, runJobs, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    /// Runs until the queue is closed and empty.
    func run() {
        nameThread()
        while let entries = takeAll() {
            for entry in entries { entry.run() }
        }
    }

    /// All that came, in order, after waiting for the first; nil when closed.
    private func takeAll() -> [Entry]? {
        locked {
            while waiting.isEmpty && !isClosed { pthread_cond_wait(arrived, mutex) }
            guard !waiting.isEmpty else { return nil }
            defer { waiting.removeAll() }
            return waiting
        }
    }

    /// For `top` and debuggers only, so that it may fail.
    private func nameThread() {
        let file = open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return }
        _ = write(file, name, name.utf8.count)
        _ = Glibc.close(file)
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body()
    }
}

private func runJobs(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
