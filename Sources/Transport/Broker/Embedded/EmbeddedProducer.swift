internal import Synchronization

final class EmbeddedProducer: Producer {
    private let core: BrokerCore
    private let closed = Mutex(false)

    init(_ core: BrokerCore) { self.core = core }

    func send(_ records: [Record], to name: String) async throws -> [Position] {
        guard !closed.withLock({ $0 }) else { throw BrokerError.closed }
        let topic = try await core.topic(name)
        for record in records where record.sizeBytes > topic.largestBytes {
            throw BrokerError.recordTooLarge(bytes: record.sizeBytes, topic: name)
        }
        return records.isEmpty ? [] : try await core.write(.append(records, to: topic))
    }

    func close() async { closed.withLock { $0 = true } }
}

final class EmbeddedReader: Reader {
    private let core: BrokerCore
    private let state: ReaderState

    init(_ core: BrokerCore, _ state: ReaderState) {
        self.core = core
        self.state = state
    }

    func poll(limit: Int, wait: Duration) async throws -> [Delivery] {
        try await core.poll(state, limit: limit, wait: wait)
    }

    func close() async {
        state.closed.withLock { $0 = true }
        await core.wake([state.topic])
    }
}
