internal import CRdKafka

/// librdkafka's configuration object. A client takes it over; one that no client took is freed here.
struct ClientConfiguration: ~Copyable {
    private let handle: OpaquePointer

    deinit { rd_kafka_conf_destroy(handle) }

    /// - Throws: a fault naming the property that librdkafka refuses; never its value, which may be a secret.
    static func make(_ properties: [String: String]) throws(KafkaFault) -> ClientConfiguration {
        guard let handle = rd_kafka_conf_new() else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        let configuration = ClientConfiguration(handle: handle)
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
            switch rd_kafka_conf_set(handle, name, value, nil, 0) {
            case RD_KAFKA_CONF_OK: break
            case RD_KAFKA_CONF_UNKNOWN:
                throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, "librdkafka has no property \(name)")
            default:
                throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, "librdkafka does not take that value for \(name)")
            }
        }
        return configuration
    }

    /// Makes a client that tells `context` everything, and keeps it alive until it is destroyed itself.
    consuming func client(_ type: rd_kafka_type_t, _ context: ClientContext) throws(KafkaFault) -> OpaquePointer {
        rd_kafka_conf_set_log_cb(handle, logCallback)
        rd_kafka_conf_set_error_cb(handle, errorCallback)
        rd_kafka_conf_set_stats_cb(handle, statisticsCallback)
        if type == RD_KAFKA_CONSUMER { rd_kafka_conf_set_rebalance_cb(handle, rebalanceCallback) }
        if type == RD_KAFKA_PRODUCER { rd_kafka_conf_set_dr_msg_cb(handle, deliveryCallback) }
        let opaque = Unmanaged.passRetained(context)
        rd_kafka_conf_set_opaque(handle, opaque.toOpaque())
        var message = [CChar](repeating: 0, count: 512)
        guard let client = rd_kafka_new(type, handle, &message, message.count) else {
            opaque.release()
            _ = consume self
            // It tells how properties do not fit together, by their names.
            throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, String(terminated: message))
        }
        discard self
        return client
    }
}

extension String {
    /// The text before the first NUL.
    init(terminated bytes: [CChar]) {
        self.init(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
