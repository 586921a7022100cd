internal import Broker
internal import Synchronization

/// The state that a consumer shares with its poll thread, the callers that wait for a change of it, and the queues that
/// wake the thread.
final class ConsumerCore: Sendable {
    let state: Mutex<ConsumerState>
    private let waiters = Mutex(Waiters())
    private let link = Mutex(Link())
    private let ended = Mutex(false)
    private let release = Mutex<Release?>(nil)

    typealias Release = @Sendable (Set<TopicPartition>) -> Set<Position>

    private struct Waiters {
        var newest: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    /// The thread's current client: the queues that wake it, and its health.
    private struct Link {
        var queues: [ClientQueue] = []
        var context: ClientContext?
    }

    init(_ state: sending ConsumerState) { self.state = Mutex(state) }

    // MARK: - Consuming

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        let deadline = ContinuousClock.now + min(max(wait, .zero), .seconds(3600))
        while true {
            let (found, version, needsThread) = try state.withLock { state in
                let found = try state.take(limit, now: .now)
                return (found, state.version, state.needsThread)
            }
            if needsThread { wakeThread() }
            if !found.isEmpty || Task.isCancelled || ContinuousClock.now >= deadline { return found }
            await change(after: version, until: deadline)
        }
    }

    func finish(_ position: Position) { if state.withLock({ $0.finish(position, now: .now) }) { wake() } }

    func commit(within time: Duration) async throws -> [TopicPartition: Int64] {
        let call = state.withLock { $0.commits.newCall() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (done: PendingCommits.Done) in
                let isClosing = state.withLock { state in
                    if !state.isClosing { state.commits.add(call, done, deadline: .now + time) }
                    return state.isClosing
                }
                if isClosing { done.resume(throwing: BrokerError.closed) } else { wakeThread() }
                // A cancellation before this line found no call.
                if Task.isCancelled { cancelCommit(call) }
            }
        } onCancel: {
            cancelCommit(call)
        }
        return state.withLock { $0.tracker?.committed ?? [:] }
    }

    private func cancelCommit(_ call: UInt64) {
        state.withLock { $0.commits.remove(call) }?.resume(throwing: CancellationError())
    }

    func resume(_ topic: String) {
        state.withLock { $0.resume(topic) }
        wake()
    }

    /// Returns once the thread has left the group and has no partitions. Works without a broker too.
    func leave() async {
        state.withLock { $0.leave() }
        wakeThread()
        while true {
            let (isOut, version) = state.withLock { ($0.isClosing || $0.isOut, $0.version) }
            if isOut || Task.isCancelled { return }
            await change(after: version, until: .now + .seconds(1))
        }
    }

    func rejoin() {
        state.withLock { $0.rejoin() }
        wakeThread()
    }

    func onRevocation(_ body: @escaping Release) { release.withLock { $0 = body } }

    /// Asks the thread to end, and waits up to `time`, because librdkafka can hang while closing. A cancelled task
    /// waits too: it must not continue beside a member that is still in its group.
    func close(within time: Duration, abandoning: Bool = false) async {
        requestClose(abandoning: abandoning)
        let deadline = ContinuousClock.now + time
        while !ended.withLock({ $0 }) && ContinuousClock.now < deadline {
            await change(after: state.withLock { $0.version }, until: deadline, heedsCancellation: false) {
                self.ended.withLock { $0 }
            }
        }
    }

    func requestClose(abandoning: Bool = false) {
        let abandoned = state.withLock { state in
            state.close(abandoning: abandoning)
            return abandoning ? state.commits.takeAll() : []
        }
        for commit in abandoned { commit.resume(throwing: BrokerError.closed) }
        wakeThread()
        wake()
    }

    func replaced(_ error: BrokerError) {
        state.withLock { $0.replaced(error) }
        wakeThread()
        wake()
    }

    // MARK: - For the poll thread

    func listen(to client: ConsumerClient) {
        link.withLock { $0 = Link(queues: [client.consumerQueue, client.waitQueue], context: client.handle.context) }
    }

    /// Stops the delivery of records of partitions that are about to be revoked.
    ///
    /// - Returns: the records in flight that will not be finished here; nil if the thread should not wait for any
    ///   record.
    func releaseDelivered(_ partitions: Set<TopicPartition>) -> Set<Position>? {
        state.withLock { $0.leave(partitions) }
        return release.withLock { $0 }?(partitions)
    }

    func end() {
        let commits = state.withLock { state in
            state.close()
            return state.commits.takeAll()
        }
        for commit in commits { commit.resume(throwing: BrokerError.closed) }
        ended.withLock { $0 = true }
        wake()
    }

    func wakeThread() { for queue in link.withLock({ $0.queues }) { queue.wake() } }

    var statistics: KafkaStatistics.Consumer {
        var statistics = state.withLock { $0.statistics }
        statistics.isConnected = link.withLock { $0.context }?.health.isWell ?? false
        return statistics
    }

    func wake() {
        let all = waiters.withLock { waiters in
            defer { waiters.waiting = [:] }
            return waiters.waiting.values
        }
        for waiter in all { waiter.resume() }
    }

    // MARK: - Waiting

    /// Returns when the state's version differs from `version`, at the deadline, or when the task is cancelled.
    ///
    /// - Parameter heedsCancellation: false for a wait that continues in a cancelled task. Other waits return at once
    ///   then, so a loop around them has to check for cancellation, or it never releases its thread.
    private func change(
        after version: UInt64, until deadline: ContinuousClock.Instant, heedsCancellation: Bool = true,
        unless isOver: () -> Bool = { false }
    ) async {
        let id = waiters.withLock { waiters in
            waiters.newest += 1
            return waiters.newest
        }
        let timer = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            self.wake(id)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                waiters.withLock { $0.waiting[id] = waiter }
                // A change before this line found no waiter to wake, nor did the timer, if a short wait was over before
                // this line. So check for both here.
                let isLate = ContinuousClock.now >= deadline
                let isCancelled = heedsCancellation && Task.isCancelled
                if isLate || state.withLock({ $0.version }) != version || isOver() || isCancelled { wake(id) }
            }
        } onCancel: {
            if heedsCancellation { wake(id) }
        }
        timer.cancel()
    }

    private func wake(_ id: UInt64) { waiters.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
}
