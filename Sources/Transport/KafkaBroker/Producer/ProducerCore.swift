internal import Broker
internal import Synchronization

/// The state that producers share with the producer thread, which calls librdkafka for all of them.
final class ProducerCore: Sendable {
    private let state = Mutex(State())
    private let clientQueue = Mutex<ClientQueue?>(nil)

    private struct State {
        var batches: [SendBatch] = []
        /// Set once the core is stopped. Every later `send` throws it.
        var end: BrokerError?
        var counters = KafkaStatistics.Producer()
        var waitingForEnd: [CheckedContinuation<Void, Never>] = []
        var hasEnded = false
    }

    /// Sends records, and returns their positions once all of them are durable.
    ///
    /// - Parameter explain: the broker error for a fault and a topic.
    /// - Throws: the error of the first record that failed; other records may be durable. `CancellationError` as soon
    ///   as the task is cancelled: the records may still be sent.
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
        let batch = SendBatch(records, to: topic, explain: explain)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (done: SendBatch.Done) in
                guard batch.begin(done) else { return }
                let end = state.withLock { state in
                    if state.end == nil { state.batches.append(batch) }
                    return state.end
                }
                if let end { batch.giveUp(end) } else { clientQueue.withLock { $0 }?.wake() }
            }
        } onCancel: {
            batch.giveUp(CancellationError())
        }
    }

    var counters: KafkaStatistics.Producer { state.withLock { $0.counters } }

    /// Stops the thread. Returns once it has ended, at the latest after `time`.
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

    /// Takes the new batches, in the order in which they were sent; nil once the core is stopped.
    func takeAll() -> [SendBatch]? {
        state.withLock { state in
            guard state.end == nil else { return nil }
            defer { state.batches = [] }
            return state.batches
        }
    }

    /// Fails the batches that were not taken. From now on, every `send` throws the first error that was passed here.
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
