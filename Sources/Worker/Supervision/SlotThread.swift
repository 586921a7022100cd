internal import Glibc

/// Runs an actor's jobs on one thread of its own, from its making to its end.
///
/// A slot waits for its render process by blocking, which must not hold up Swift's own threads; and the kernel ends a
/// render process with the *thread* that started it, so that this thread has to live as long.
final class SlotThread: SerialExecutor {
    private let queue: JobQueue

    init() throws(WorkerError) {
        queue = JobQueue()
        guard queue.start() else { throw .noThread }
    }

    deinit { queue.close() }

    func enqueue(_ job: consuming ExecutorJob) {
        // The entry keeps the executor until the job has run: the job may let the last reference to the actor go.
        queue.append(JobQueue.Entry(job: UnownedJob(job), executor: self))
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// `@unchecked Sendable`: `entries` and `isClosed` are touched only with `lock` held.
private final class JobQueue: @unchecked Sendable {
    struct Entry {
        let job: UnownedJob
        let executor: SlotThread
    }

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var entries: [Entry] = []
    private var isClosed = false

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(news, nil)
    }

    deinit {
        pthread_cond_destroy(news)
        pthread_mutex_destroy(lock)
        news.deallocate()
        lock.deallocate()
    }

    func start() -> Bool {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        guard pthread_create(&thread, nil, runSlotThread, context.toOpaque()) == 0 else {
            context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    func append(_ entry: Entry) {
        locked { entries.append(entry) }
        pthread_cond_signal(news)
    }

    func close() {
        locked { isClosed = true }
        pthread_cond_signal(news)
    }

    func run() {
        while let entry = next() { entry.job.runSynchronously(on: entry.executor.asUnownedSerialExecutor()) }
    }

    private func next() -> Entry? {
        locked {
            while entries.isEmpty && !isClosed { pthread_cond_wait(news, lock) }
            return entries.isEmpty ? nil : entries.removeFirst()
        }
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}

private func runSlotThread(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
