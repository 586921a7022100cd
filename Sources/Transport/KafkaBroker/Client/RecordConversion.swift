internal import Broker
internal import CRdKafka

extension Delivery {
    init(_ message: UnsafePointer<rd_kafka_message_t>) {
        let value = unsafe message.pointee
        let topic = unsafe value.rkt.map { unsafe String(cString: rd_kafka_topic_name($0)) } ?? ""
        var kind = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE
        let record = unsafe Record(
            key: value.key.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: value.key_len)) } ?? [],
            value: unsafe value.payload.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: value.len)) },
            headers: unsafe Header.list(of: message))
        unsafe self.init(
            record: record,
            position: Position(
                partition: TopicPartition(topic: topic, partition: value.partition), offset: value.offset),
            timestampMilliseconds: rd_kafka_message_timestamp(message, &kind))
    }
}

extension Header {
    fileprivate static func list(of message: UnsafePointer<rd_kafka_message_t>) -> [Header] {
        var headers: OpaquePointer?
        guard unsafe rd_kafka_message_headers(message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR,
            let headers = unsafe headers
        else { return [] }
        var list: [Header] = []
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var count = 0
        while unsafe rd_kafka_header_get_all(headers, list.count, &name, &value, &count) == RD_KAFKA_RESP_ERR_NO_ERROR {
            let bytes = unsafe value.map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: count)) }
            unsafe list.append(Header(name: name.map { unsafe String(cString: $0) } ?? "", value: bytes ?? []))
        }
        return list
    }
}

/// The headers of an outgoing message, which takes ownership of them; otherwise they are freed here.
/// Safe: the pointer is private and valid as long as the value.
@safe struct OutgoingHeaders: ~Copyable {
    private let handle: OpaquePointer?

    init(_ headers: [Header]) {
        guard !headers.isEmpty else {
            unsafe handle = nil
            return
        }
        unsafe handle = rd_kafka_headers_new(headers.count)
        for header in headers {
            let name = Array(header.name.utf8CString)
            unsafe header.value.withPointer { value, count in
                _ = unsafe rd_kafka_header_add(handle, name, name.count - 1, value, count)
            }
        }
    }

    deinit { if let handle = unsafe handle { unsafe rd_kafka_headers_destroy(handle) } }

    /// Calls `send` with the headers, or with nil if there are none. If `send` does not throw, the message owns them.
    consuming func hand(to send: (OpaquePointer?) throws(KafkaFault) -> Void) throws(KafkaFault) {
        do {
            unsafe try send(handle)
            discard self
        } catch {
            _ = consume self
            throw error
        }
    }
}

/// A valid address for empty data. The byte is never read, written or freed, so every thread may use it.
private nonisolated(unsafe) let noBytes = UnsafeRawPointer(UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

extension [UInt8] {
    /// Calls `body` with a non-nil pointer and the count. To librdkafka, nil means no value instead of an empty one.
    func withPointer<Result>(_ body: (UnsafeRawPointer, Int) -> Result) -> Result {
        unsafe withUnsafeBytes { unsafe body($0.baseAddress ?? noBytes, $0.count) }
    }
}
