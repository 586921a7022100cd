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
final class ProducerClient {
    let handle: ClientHandle
    /// The queue of `poll`. Wake it to end a poll.
    let queue: ClientQueue
    private var topics: [String: OpaquePointer] = [:]

    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.producer, properties, context)
        queue = ClientQueue(rd_kafka_queue_get_main(try handle.live()))
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
        let client = try handle.live()
        let topic = try handle(of: topic, client)
        let pending = Unmanaged.passRetained(PendingReport(receiver, index))
        do {
            try OutgoingHeaders(record.headers).hand { (headers) throws(KafkaFault) in
                try Self.produce(client, topic, record, headers, pending.toOpaque())
            }
        } catch {
            pending.release()
            throw error
        }
    }

    private static func produce(
        _ client: OpaquePointer, _ topic: OpaquePointer, _ record: Record, _ headers: OpaquePointer?,
        _ opaque: UnsafeMutableRawPointer
    ) throws(KafkaFault) {
        let error = record.key.withPointer { key, keyCount in
            (record.value ?? []).withPointer { value, valueCount in
                let arguments = [
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_RKT) { $0.rkt = topic },
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_MSGFLAGS) { $0.i = RD_KAFKA_MSG_F_COPY },
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_KEY) { $0.mem = .init(ptr: .init(mutating: key), size: keyCount) },
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_VALUE) {
                        $0.mem = .init(ptr: record.value == nil ? nil : .init(mutating: value), size: valueCount)
                    },
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_OPAQUE) { $0.ptr = opaque },
                    rd_kafka_vu_t(RD_KAFKA_VTYPE_HEADERS) { $0.headers = headers },
                ]
                return rd_kafka_produceva(client, arguments, headers == nil ? 5 : 6)
            }
        }
        try KafkaFault.check(consuming: error)
    }

    private func handle(of topic: String, _ client: OpaquePointer) throws(KafkaFault) -> OpaquePointer {
        if let known = topics[topic] { return known }
        guard let made = rd_kafka_topic_new(client, topic, nil) else { throw KafkaFault(rd_kafka_last_error()) }
        topics[topic] = made
        return made
    }

    /// Handles delivery reports and errors. Waits up to `wait` for the first one.
    func poll(_ wait: Duration) {
        if let client = handle.pointer { _ = rd_kafka_poll(client, wait.timeoutMilliseconds) }
    }

    var outstanding: Int { handle.pointer.map { Int(rd_kafka_outq_len($0)) } ?? 0 }

    /// Cancels all outstanding records. Their reports, with a fault, arrive in later calls of `poll`.
    func purge() {
        guard let client = handle.pointer else { return }
        _ = rd_kafka_purge(client, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
    }

    func abandon() {
        for topic in topics.values { rd_kafka_topic_destroy(topic) }
        topics = [:]
        queue.close()
        handle.destroy()
    }
}

extension rd_kafka_vu_t {
    fileprivate init(_ type: rd_kafka_vtype_t, _ set: (inout __Unnamed_union_u) -> Void) {
        self.init()
        vtype = type
        set(&u)
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
    guard let message, let pointer = message.pointee._private else { return }
    // Each record gets exactly one report, so librdkafka's reference is released here.
    let pending = Unmanaged<PendingReport>.fromOpaque(pointer).takeRetainedValue()
    let error = message.pointee.err
    pending.receiver.delivered(
        pending.index,
        DeliveryReport(
            partition: message.pointee.partition, offset: message.pointee.offset,
            fault: error == RD_KAFKA_RESP_ERR_NO_ERROR ? nil : KafkaFault(error)))
}
