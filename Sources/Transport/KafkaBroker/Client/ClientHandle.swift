internal import CRdKafka
internal import Synchronization

/// A librdkafka client with its threads and connections. One thread at a time uses it, and the last one destroys it.
/// Safe: the pointer is nil once the client is destroyed.
@safe final class ClientHandle {
    enum Kind { case consumer, producer }

    private(set) var pointer: OpaquePointer?
    let context: ClientContext

    init(_ kind: Kind, _ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        let configuration = try ClientConfiguration.make(properties)
        unsafe pointer = try configuration.client(
            kind == .consumer ? RD_KAFKA_CONSUMER : RD_KAFKA_PRODUCER, context)
        self.context = context
    }

    deinit { destroy() }

    func live() throws(KafkaFault) -> OpaquePointer {
        guard let pointer = unsafe pointer else { throw KafkaFault(RD_KAFKA_RESP_ERR__DESTROY) }
        return unsafe pointer
    }

    /// Destroys the client without sending or committing what is outstanding. A group member that was not closed stays
    /// in the group until its session expires.
    ///
    /// Waits for librdkafka's threads and can hang: never wait for the calling thread without a deadline.
    func destroy() {
        guard let pointer = unsafe pointer else { return }
        unsafe self.pointer = nil
        context.onRebalance = nil
        unsafe rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        // The client's threads have ended, so no callback uses the context any more.
        unsafe Unmanaged.passUnretained(context).release()
    }
}

/// An event queue of a client. One thread polls it, and any thread may wake it.
///
/// `@unchecked Sendable`: the pointer is read and cleared only with the mutex locked. The queue is closed
/// only after the last poll, so a poll may use the pointer without the mutex.
final class ClientQueue: @unchecked Sendable {
    private let guarded: Mutex<Pointer>

    @safe private struct Pointer: @unchecked Sendable { var queue: OpaquePointer? }

    init(_ queue: OpaquePointer?) { guarded = unsafe Mutex(Pointer(queue: queue)) }

    deinit { close() }

    /// Ends the current or next poll of the queue.
    func wake() { guarded.withLock { if let queue = unsafe $0.queue { unsafe rd_kafka_queue_yield(queue) } } }

    func wait(_ time: Duration) {
        let queue = unsafe guarded.withLock { unsafe $0.queue }
        if let queue = unsafe queue, let event = unsafe rd_kafka_queue_poll(queue, time.timeoutMilliseconds) {
            unsafe rd_kafka_event_destroy(event)
        }
    }

    /// Frees the queue. Call it after the last poll, and before the client is destroyed.
    func close() {
        let queue = unsafe guarded.withLock { state in
            defer { unsafe state.queue = nil }
            return unsafe state.queue
        }
        if let queue = unsafe queue { unsafe rd_kafka_queue_destroy(queue) }
    }
}
