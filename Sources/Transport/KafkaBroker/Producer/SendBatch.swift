internal import Broker
internal import Synchronization

final class SendBatch: DeliveryReceiver, Sendable {
    typealias Done = CheckedContinuation<[Position], any Error>

    let topic: String
    let records: [Record]
    private let state: Mutex<State>

    private struct State {
        var positions: [Position?]
        var missing: Int
        var fault: KafkaFault?
        /// Resumes `send`; nil before it waits and after it was resumed.
        var done: Done?
        /// Whether `send` was resumed, or will be as soon as it waits.
        var isAnswered = false
        /// Why `send` fails, if that is known before it waits.
        var early: (any Error)?

        /// Counts results. After the last one, returns the continuation, which the caller resumes.
        mutating func reported(_ count: Int) -> Done? {
            missing -= count
            return missing <= 0 ? takeDone() : nil
        }

        mutating func takeDone() -> Done? {
            isAnswered = true
            defer { done = nil }
            return done
        }
    }

    private let explain: @Sendable (KafkaFault, String) -> BrokerError

    init(
        _ records: [Record], to topic: String,
        explain: @escaping @Sendable (KafkaFault, String) -> BrokerError
    ) {
        self.topic = topic
        self.records = records
        self.explain = explain
        state = Mutex(State(positions: Array(repeating: nil, count: records.count), missing: records.count))
    }

    /// Begins the wait of `send`. Returns false if `send` was given up before.
    func begin(_ done: Done) -> Bool {
        let early = state.withLock { state in
            if state.early == nil { state.done = done }
            return state.early
        }
        if let early { done.resume(throwing: early) }
        return early == nil
    }

    var isAnswered: Bool { state.withLock { $0.isAnswered } }

    /// Stores the report of one record. The last report resumes `send`.
    func delivered(_ index: Int, _ report: DeliveryReport) {
        let partition = TopicPartition(topic: topic, partition: report.partition)
        let done = state.withLock { state in
            state.positions[index] = Position(partition: partition, offset: report.offset)
            state.fault = state.fault ?? report.fault
            return state.reported(1)
        }
        if let done { answer(done) }
    }

    /// Marks the records from `index` on as failed, because librdkafka did not accept them.
    func failed(from index: Int, _ fault: KafkaFault) {
        let done = state.withLock { state in
            state.fault = state.fault ?? fault
            return state.reported(records.count - index)
        }
        if let done { answer(done) }
    }

    /// Resumes `send` with an error, without waiting for missing reports. Does nothing if it was already resumed.
    func giveUp(_ error: any Error) {
        let done = state.withLock { state in
            if !state.isAnswered { state.early = error }
            return state.takeDone()
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
