internal import CRdKafka

/// librdkafka's configuration object. A new client takes ownership of it; otherwise it is freed here.
/// Safe: the pointer is private and valid as long as the value.
@safe struct ClientConfiguration: ~Copyable {
    private let handle: OpaquePointer

    deinit { unsafe rd_kafka_conf_destroy(handle) }

    /// A configuration with these properties. The fault names a property that librdkafka rejects, but never its value,
    /// which may be secret.
    static func make(_ properties: [String: String]) throws(KafkaFault) -> ClientConfiguration {
        guard let handle = unsafe rd_kafka_conf_new() else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        let configuration = unsafe ClientConfiguration(handle: handle)
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            switch unsafe rd_kafka_conf_set(handle, name, value, nil, 0) {
            case RD_KAFKA_CONF_OK: break
            case RD_KAFKA_CONF_UNKNOWN:
                throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, "librdkafka has no property \(name)")
            default:
                throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, "librdkafka rejects the value of \(name)")
            }
        }
        return configuration
    }

    /// Creates a client whose callbacks report to `context`. The client retains the context until it is destroyed.
    consuming func client(_ type: rd_kafka_type_t, _ context: ClientContext) throws(KafkaFault) -> OpaquePointer {
        unsafe rd_kafka_conf_set_log_cb(handle, logCallback)
        unsafe rd_kafka_conf_set_error_cb(handle, errorCallback)
        unsafe rd_kafka_conf_set_stats_cb(handle, statisticsCallback)
        if type == RD_KAFKA_CONSUMER { unsafe rd_kafka_conf_set_rebalance_cb(handle, rebalanceCallback) }
        if type == RD_KAFKA_PRODUCER { unsafe rd_kafka_conf_set_dr_msg_cb(handle, deliveryCallback) }
        let opaque = unsafe Unmanaged.passRetained(context)
        unsafe rd_kafka_conf_set_opaque(handle, opaque.toOpaque())
        var message = [CChar](repeating: 0, count: 512)
        guard let client = unsafe rd_kafka_new(type, handle, &message, message.count) else {
            unsafe opaque.release()
            _ = consume self
            // The message names properties that contradict each other, but no values.
            throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, String(terminated: message))
        }
        discard self
        return unsafe client
    }
}

extension String {
    init(terminated bytes: [CChar]) {
        self.init(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
