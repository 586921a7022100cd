internal import CRdKafka
internal import Synchronization

/// One librdkafka client, with the threads and connections it has. Its owner uses it from one thread, and destroys it.
final class ClientHandle {
    enum Kind { case consumer, producer }

    /// Nil once it was destroyed.
    private(set) var pointer: OpaquePointer?
    let context: ClientContext

    init(_ kind: Kind, _ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        let configuration = try ClientConfiguration.make(properties)
        pointer = try configuration.client(kind == .consumer ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, context)
        self.context = context
    }

    deinit { destroy() }

    /// - Throws: a fault where the client was destroyed.
    func live() throws(KafkaFault) -> OpaquePointer {
        guard let pointer else { throw KafkaFault(RD_KAFKA_RESP_ERR__DESTROY) }
        return pointer
    }

    /// Waits for librdkafka's threads: it has hung there, so that nobody should have to wait for the caller.
    /// What is unsent or uncommitted is given up; a member that was not closed stays one until its session ends.
    func destroy() {
        guard let pointer else { return }
        self.pointer = nil
        context.onRebalance = nil
        rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        // The client's threads are gone, and with them the last that could call back.
        Unmanaged.passUnretained(context).release()
    }
}

/// A queue of a client, polled by one thread and woken by any.
///
/// `@unchecked Sendable`: the pointer is read and cleared with the mutex held only.
final class ClientQueue: @unchecked Sendable {
    private let guarded: Mutex<Pointer>

    private struct Pointer: @unchecked Sendable { var queue: OpaquePointer? }

    /// Takes the queue over.
    init(_ queue: OpaquePointer?) { guarded = Mutex(Pointer(queue: queue)) }

    deinit { close() }

    /// Ends the poll that waits at the queue now, or the next one.
    func wake() { guarded.withLock { if let queue = $0.queue { rd_kafka_queue_yield(queue) } } }

    /// Waits until it is woken or the time is over.
    func wait(_ time: Duration) {
        let queue = guarded.withLock { $0.queue }
        if let queue, let event = rd_kafka_queue_poll(queue, time.timeoutMilliseconds) { rd_kafka_event_destroy(event) }
    }

    /// Before its client is destroyed, by the thread that polls.
    func close() {
        let queue = guarded.withLock { state in
            defer { state.queue = nil }
            return state.queue
        }
        if let queue { rd_kafka_queue_destroy(queue) }
    }
}
