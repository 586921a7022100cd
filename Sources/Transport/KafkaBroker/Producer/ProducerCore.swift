internal import Broker
internal import Synchronization

/// What producers share with the thread that talks to librdkafka for all of them.
final class ProducerCore: Sendable {
    private let state = Mutex(State())
    private let clientQueue = Mutex<ClientQueue?>(nil)

    private struct State {
        var batches: [SendBatch] = []
        /// Thrown by every call from then on.
        var end: BrokerError?
        var counters = KafkaStatistics.Producer()
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    /// - Throws: the first fault of any record; some may be durable then, none must be assumed to be.
    func send(
        _ records: [Record], to topic: String, explain: @escaping @Sendable (KafkaFault, String) -> BrokerError
    ) async throws -> [Position] {
        do {
            let positions = try await hand(records, topic, explain)
            count { $0.delivered += records.count }
            return positions
        } catch {
            count { $0.failed += records.count }
            throw error
        }
    }

    private func hand(
        _ records: [Record], _ topic: String, _ explain: @escaping @Sendable (KafkaFault, String) -> BrokerError
    ) async throws -> [Position] {
        try await withCheckedThrowingContinuation { (done: SendBatch.Done) in
            let end = state.withLock { state in
                if state.end == nil { state.batches.append(SendBatch(records, to: topic, done, explain: explain)) }
                return state.end
            }
            if let end { done.resume(throwing: end) } else { clientQueue.withLock { $0 }?.wake() }
        }
    }

    var counters: KafkaStatistics.Producer { state.withLock { $0.counters } }

    /// Returns when the thread has ended, at the latest after that time.
    func close(within time: Duration) async {
        stop(.closed)
        let timer = Task {
            try? await Task.sleep(for: time)
            self.answerThoseWaiting()
        }
        await withCheckedContinuation { waiter in
            let isOver = state.withLock { state in
                if !state.hasEnded { state.waitingForEnd.append(waiter) }
                return state.hasEnded
            }
            if isOver { waiter.resume() }
        }
        timer.cancel()
    }

    private func answerThoseWaiting() {
        let waiting = state.withLock { state in
            defer { state.waitingForEnd = [] }
            return state.waitingForEnd
        }
        for waiter in waiting { waiter.resume() }
    }

    // MARK: - The thread's side

    func listen(at queue: ClientQueue) { clientQueue.withLock { $0 = queue } }

    /// New batches, in the order they came; nil when there will be none.
    func takeAll() -> [SendBatch]? {
        state.withLock { state in
            guard state.end == nil else { return nil }
            defer { state.batches = [] }
            return state.batches
        }
    }

    /// Every call throws that from now on.
    func stop(_ error: BrokerError) {
        let left = state.withLock { state in
            state.end = state.end ?? error
            defer { state.batches = [] }
            return state.batches
        }
        for batch in left { batch.giveUp(error) }
        clientQueue.withLock { $0 }?.wake()
    }

    func ended() {
        state.withLock { $0.hasEnded = true }
        answerThoseWaiting()
    }

    func count(_ change: (inout KafkaStatistics.Producer) -> Void) { state.withLock { change(&$0.counters) } }
}
