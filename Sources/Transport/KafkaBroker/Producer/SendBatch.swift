internal import Broker
internal import Synchronization

/// The records of one `send`, and what became of them.
final class SendBatch: DeliveryReceiver, Sendable {
    typealias Done = CheckedContinuation<[Position], any Error>

    let topic: String
    let records: [Record]
    private let state: Mutex<State>

    private struct State {
        var positions: [Position?]
        var missing: Int
        var fault: KafkaFault?
        /// Nil once it was answered.
        var done: Done?

        /// Answers whoever waits, after the last report.
        mutating func reported(_ count: Int) -> Done? {
            missing -= count
            guard missing <= 0 else { return nil }
            defer { done = nil }
            return done
        }
    }

    private let explain: @Sendable (KafkaFault, String) -> BrokerError

    init(
        _ records: [Record], to topic: String, _ done: Done,
        explain: @escaping @Sendable (KafkaFault, String) -> BrokerError
    ) {
        self.topic = topic
        self.records = records
        self.explain = explain
        state = Mutex(
            State(positions: Array(repeating: nil, count: records.count), missing: records.count, done: done))
    }

    var isAnswered: Bool { state.withLock { $0.done == nil } }

    /// One record's report; after the last one, whoever sent the batch is answered.
    func delivered(_ index: Int, _ report: DeliveryReport) {
        let place = TopicPartition(topic: topic, partition: report.partition)
        let done = state.withLock { state in
            state.positions[index] = Position(partition: place, offset: report.offset)
            state.fault = state.fault ?? report.fault
            return state.reported(1)
        }
        if let done { answer(done) }
    }

    /// The records from this one on were not taken.
    func failed(from index: Int, _ fault: KafkaFault) {
        let done = state.withLock { state in
            state.fault = state.fault ?? fault
            return state.reported(records.count - index)
        }
        if let done { answer(done) }
    }

    /// Answers at once, whatever reports still come.
    func giveUp(_ error: BrokerError) {
        let done = state.withLock { state in
            defer { state.done = nil }
            return state.done
        }
        done?.resume(throwing: error)
    }

    private func answer(_ done: Done) {
        let (positions, fault) = state.withLock { ($0.positions, $0.fault) }
        if let fault {
            done.resume(throwing: explain(fault, topic))
        } else {
            done.resume(returning: positions.compactMap { $0 })
        }
    }
}
