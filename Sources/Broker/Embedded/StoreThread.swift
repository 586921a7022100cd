internal import Glibc

/// A thread of its own for an actor that waits for the disk: Swift's cooperative threads, one a core, must never
/// block. The thread ends when the executor is gone and its last job is done.
final class StoreThread: SerialExecutor {
    private let jobs: JobQueue

    init() throws(BrokerError) {
        jobs = JobQueue()
        var thread = pthread_t()
        let queue = Unmanaged.passRetained(jobs)
        let code = pthread_create(&thread, nil, runJobs, queue.toOpaque())
        guard code == 0 else {
            queue.release()
            throw .unavailable("no thread could be started for the broker: \(String(cString: strerror(code)))")
        }
        pthread_detach(thread)
    }

    deinit { jobs.end() }

    func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job), asUnownedSerialExecutor()) }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }
}

/// The thread's body. Takes over the reference to its queue.
private func runJobs(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let jobs = Unmanaged<JobQueue>.fromOpaque(context).takeRetainedValue()
    while let (job, executor) = jobs.next() { job.runSynchronously(on: executor) }
    return nil
}

/// Jobs waiting for the thread: never more than there are tasks that wait for one.
///
/// `@unchecked Sendable`: `waiting` and `ended` are guarded by `mutex`.
private final class JobQueue: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [(UnownedJob, UnownedSerialExecutor)] = []
    /// Jobs taken out of `waiting` at once, the next one last; touched by the thread only.
    private var taken: [(UnownedJob, UnownedSerialExecutor)] = []
    private var ended = false

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(mutex)
        arrival.deallocate()
        mutex.deallocate()
    }

    func add(_ job: UnownedJob, _ executor: UnownedSerialExecutor) {
        pthread_mutex_lock(mutex)
        waiting.append((job, executor))
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(mutex)
    }

    func end() {
        pthread_mutex_lock(mutex)
        ended = true
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(mutex)
    }

    /// Waits for a job; nil once there are none and never will be.
    func next() -> (UnownedJob, UnownedSerialExecutor)? {
        if let job = taken.popLast() { return job }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while waiting.isEmpty {
            if ended { return nil }
            pthread_cond_wait(arrival, mutex)
        }
        taken = waiting.reversed()
        waiting.removeAll(keepingCapacity: true)
        return taken.popLast()
    }
}
