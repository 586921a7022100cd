internal import Broker
internal import Synchronization

/// What a consumer shares with its poll thread: the state, those who wait for it to change, and the bell that ends the
/// thread's wait.
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

    /// How the present client is reached.
    private struct Link {
        var queues: [ClientQueue] = []
        var context: ClientContext?
    }

    init(_ state: sending ConsumerState) { self.state = Mutex(state) }

    // MARK: - Consuming

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        let deadline = ContinuousClock.now + min(max(wait, .zero), .seconds(3600))
        while true {
            let (found, version, isHeldUp) = try state.withLock { state in
                let found = try state.take(limit, now: .now)
                return (found, state.version, state.isHeldUp)
            }
            if isHeldUp { ring() }
            if !found.isEmpty || Task.isCancelled || ContinuousClock.now >= deadline { return found }
            await change(after: version, until: deadline)
        }
    }

    func finish(_ position: Position) { if state.withLock({ $0.finish(position, now: .now) }) { wake() } }

    func commit(within time: Duration) async throws -> [TopicPartition: Int64] {
        try await withCheckedThrowingContinuation { (done: PendingCommits.Done) in
            let isClosing = state.withLock { state in
                if !state.isClosing { state.commits.add(done, deadline: .now + time) }
                return state.isClosing
            }
            if isClosing { done.resume(throwing: BrokerError.closed) } else { ring() }
        }
        return state.withLock { $0.ledger?.committed ?? [:] }
    }

    func resume(_ topic: String) {
        state.withLock { $0.resume(topic) }
        wake()
    }

    /// Returns when the thread has left the group and the partitions are gone: it does so however the brokers are.
    func leave() async {
        state.withLock { $0.leave() }
        ring()
        while true {
            let (isOut, version) = state.withLock { ($0.isClosing || $0.isOut, $0.version) }
            if isOut || Task.isCancelled { return }
            await change(after: version, until: .now + .seconds(1))
        }
    }

    func rejoin() {
        state.withLock { $0.rejoin() }
        ring()
    }

    func whenLeaving(_ body: @escaping Release) { release.withLock { $0 = body } }

    /// Asks the thread to end, and waits until it did, at most so long: librdkafka has hung in closing.
    func close(within time: Duration, abandoning: Bool = false) async {
        requestClose(abandoning: abandoning)
        let deadline = ContinuousClock.now + time
        while !ended.withLock({ $0 }) && ContinuousClock.now < deadline {
            await change(after: state.withLock { $0.version }, until: deadline) { self.ended.withLock { $0 } }
        }
    }

    func requestClose(abandoning: Bool = false) {
        state.withLock { $0.close(abandoning: abandoning) }
        ring()
        wake()
    }

    // MARK: - The thread's side

    func listen(to client: ConsumerClient) {
        link.withLock { $0 = Link(queues: [client.consumerQueue, client.restQueue], context: client.handle.context) }
    }

    /// The partitions are about to go: what was fetched of them is not handed out any more.
    ///
    /// - Returns: the records in flight that nobody will finish here; nil where nobody is to be waited for.
    func letGo(_ partitions: Set<TopicPartition>) -> Set<Position>? {
        state.withLock { $0.leave(partitions) }
        return release.withLock { $0 }?(partitions)
    }

    /// The thread is gone: nobody waits for it any more.
    func end() {
        let commits = state.withLock { state in
            state.close()
            return state.commits.takeAll()
        }
        for commit in commits { commit.resume(throwing: BrokerError.closed) }
        ended.withLock { $0 = true }
        wake()
    }

    /// Ends what the poll thread waits for.
    func ring() { for queue in link.withLock({ $0.queues }) { queue.wake() } }

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

    /// Returns when the state is another than that version, at the deadline, or when the task is cancelled.
    private func change(
        after version: UInt64, until deadline: ContinuousClock.Instant, unless isOver: () -> Bool = { false }
    ) async {
        let id = waiters.withLock { waiters in
            waiters.newest += 1
            return waiters.newest
        }
        let alarm = Task {
            try? await Task.sleep(until: deadline, clock: .continuous)
            self.wake(id)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                waiters.withLock { $0.waiting[id] = waiter }
                // What changed before the waiter was there woke nobody; nor did an alarm that rang that early, which
                // a short wait on a busy machine gets.
                let isLate = ContinuousClock.now >= deadline
                if isLate || state.withLock({ $0.version }) != version || isOver() || Task.isCancelled { wake(id) }
            }
        } onCancel: {
            wake(id)
        }
        alarm.cancel()
    }

    private func wake(_ id: UInt64) { waiters.withLock { $0.waiting.removeValue(forKey: id) }?.resume() }
}
