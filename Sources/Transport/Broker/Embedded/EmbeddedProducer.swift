internal import Synchronization

final class EmbeddedProducer: Producer {
    private let core: BrokerCore
    private let isClosed = Mutex(false)

    init(_ core: BrokerCore) { self.core = core }

    func send(_ records: [Record], to name: String) async throws -> [Position] {
        guard !isClosed.withLock({ $0 }) else { throw BrokerError.closed }
        let topic = try await core.topic(name)
        for record in records where record.sizeBytes > topic.maxRecordBytes {
            throw BrokerError.recordTooLarge(bytes: record.sizeBytes, topic: name)
        }
        return records.isEmpty ? [] : try await core.write(.append(records, to: topic))
    }

    func close() async { isClosed.withLock { $0 = true } }
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
        state.isClosed.withLock { $0 = true }
        await core.wake([state.topic])
    }
}
