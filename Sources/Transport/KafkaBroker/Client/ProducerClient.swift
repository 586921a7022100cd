internal import Broker
internal import CRdKafka

struct DeliveryReport: Hashable, Sendable {
    let partition: Int32
    /// Negative if the broker did not report it, as when it already has the record from an attempt whose response was
    /// lost.
    let offset: Int64
    let fault: KafkaFault?
}

protocol DeliveryReceiver: AnyObject {
    func delivered(_ index: Int, _ report: DeliveryReport)
}

/// A librdkafka producer. Use it on one thread, which also receives the delivery reports.
/// Safe: the topics' pointers are private, and destroyed before the client.
@safe final class ProducerClient {
    let handle: ClientHandle
    /// The queue of `poll`. Wake it to end a poll.
    let queue: ClientQueue
    private var topics: [String: OpaquePointer] = unsafe [:]

    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.producer, properties, context)
        queue = unsafe ClientQueue(rd_kafka_queue_get_main(try handle.live()))
    }

    /// Hands a record to librdkafka. Its report arrives in a later `poll`.
    ///
    /// The topic must exist. librdkafka chooses the partition: for a record with headers and a partition that does not
    /// exist, versions before 2.12.0 free memory twice.
    ///
    /// - Throws: a fault if librdkafka does not accept the record. No report follows then.
    func send(
        _ record: Record, to topic: String, _ index: Int, of receiver: any DeliveryReceiver
    ) throws(KafkaFault) {
        let client = unsafe try handle.live()
        let topic = unsafe try handle(of: topic, client)
        let pending = unsafe Unmanaged.passRetained(PendingReport(receiver, index))
        do {
            unsafe try OutgoingHeaders(record.headers).hand { (headers) throws(KafkaFault) in
                unsafe try Self.produce(client, topic, record, headers, pending.toOpaque())
            }
        } catch {
            unsafe pending.release()
            throw error
        }
    }

    private static func produce(
        _ client: OpaquePointer, _ topic: OpaquePointer, _ record: Record, _ headers: OpaquePointer?,
        _ opaque: UnsafeMutableRawPointer
    ) throws(KafkaFault) {
        let error = unsafe record.key.withPointer { key, keyCount in
            unsafe (record.value ?? []).withPointer { value, valueCount in
                let arguments = unsafe [
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_RKT) { unsafe $0.rkt = unsafe topic },
                    unsafe rd_kafka_vu_t(RD_KAFKA_VTYPE_MSGFLAGS) { unsafe $0.i = RD_KAFKA_MSG_F_COPY },
                    unsafe rd_kafka_vu_t(RD_KAFKA_VTYPE_KEY) {
                        unsafe $0.mem = unsafe .init(ptr: .init(mutating: key), size: keyCount)
                    },
                    unsafe rd_kafka_vu_t(RD_KAFKA_VTYPE_VALUE) {
                        unsafe $0.mem = unsafe .init(
                            ptr: record.value == nil ? nil : .init(mutating: value), size: valueCount)
                    },
                    unsafe rd_kafka_vu_t(RD_KAFKA_VTYPE_OPAQUE) { unsafe $0.ptr = unsafe opaque },
                    unsafe rd_kafka_vu_t(RD_KAFKA_VTYPE_HEADERS) { unsafe $0.headers = unsafe headers },
                ]
                return unsafe rd_kafka_produceva(client, arguments, headers == nil ? 5 : 6)
            }
        }
        unsafe try KafkaFault.check(consuming: error)
    }

    private func handle(of topic: String, _ client: OpaquePointer) throws(KafkaFault) -> OpaquePointer {
        if let known = unsafe topics[topic] { return unsafe known }
        guard let made = unsafe rd_kafka_topic_new(client, topic, nil) else { throw KafkaFault(rd_kafka_last_error()) }
        unsafe topics[topic] = made
        return unsafe made
    }

    /// Handles delivery reports and errors. Waits up to `wait` for the first one.
    func poll(_ wait: Duration) {
        if let client = unsafe handle.pointer { _ = unsafe rd_kafka_poll(client, wait.timeoutMilliseconds) }
    }

    var outstanding: Int { unsafe handle.pointer.map { unsafe Int(rd_kafka_outq_len($0)) } ?? 0 }

    /// Cancels all outstanding records. Their reports, with a fault, arrive in later calls of `poll`.
    func purge() {
        guard let client = unsafe handle.pointer else { return }
        _ = unsafe rd_kafka_purge(client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
    }

    func abandon() {
        for unsafe(topic) in unsafe topics.values { unsafe rd_kafka_topic_destroy(topic) }
        unsafe topics = [:]
        queue.close()
        handle.destroy()
    }
}

extension rd_kafka_vu_t {
    fileprivate init(_ type: rd_kafka_vtype_t, _ set: (inout __Unnamed_union_u) -> Void) {
        unsafe self.init()
        unsafe vtype = type
        unsafe set(&u)
    }
}

/// The receiver of one record's report. librdkafka holds a reference for each record without a report.
private final class PendingReport {
    let receiver: any DeliveryReceiver
    let index: Int

    init(_ receiver: any DeliveryReceiver, _ index: Int) {
        self.receiver = receiver
        self.index = index
    }
}

func deliveryCallback(
    client: OpaquePointer?, message: UnsafePointer<rd_kafka_message_t>?, opaque: UnsafeMutableRawPointer?
) {
    guard let message = unsafe message, let pointer = unsafe message.pointee._private else { return }
    // Each record gets exactly one report, so librdkafka's reference is released here.
    let pending = unsafe Unmanaged<PendingReport>.fromOpaque(pointer).takeRetainedValue()
    let error = unsafe message.pointee.err
    unsafe pending.receiver.delivered(
        pending.index,
        DeliveryReport(
            partition: message.pointee.partition, offset: message.pointee.offset,
            fault: error == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaFault(error)))
}
