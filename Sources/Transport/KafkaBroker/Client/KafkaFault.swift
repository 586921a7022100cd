internal import CRdKafka

/// An error from librdkafka: a code of the library or of Kafka's protocol, and a message.
struct KafkaFault: Error, Hashable, Sendable {
    let code: Int32
    /// librdkafka's message, or a more precise one from this module.
    let text: String
    let isFatal: Bool
    /// The topic in question, if librdkafka names one.
    let topic: String?

    init(code: Int32, text: String, isFatal: Bool = false, topic: String? = nil) {
        self.code = code
        self.text = text
        self.isFatal = isFatal
        self.topic = topic
    }

    init(_ error: rd_kafka_resp_err_t, _ text: String? = nil, isFatal: Bool = false, topic: String? = nil) {
        self.init(code: error.rawValue, text: text ?? Self.message(error), isFatal: isFatal, topic: topic)
    }

    init(consuming error: OpaquePointer) {
        unsafe self.init(
            rd_kafka_error_code(error), String(cString: rd_kafka_error_string(error)),
            isFatal: rd_kafka_error_is_fatal(error) != 0)
        unsafe rd_kafka_error_destroy(error)
    }

    private static func message(_ error: rd_kafka_resp_err_t) -> String {
        unsafe String(cString: rd_kafka_err2str(error))
    }

    static func check(_ error: rd_kafka_resp_err_t) throws(KafkaFault) {
        guard error != RD_KAFKA_RESP_ERR_NO_ERROR else { return }
        throw KafkaFault(error)
    }

    static func check(consuming error: OpaquePointer?) throws(KafkaFault) {
        if let error = unsafe error { throw unsafe KafkaFault(consuming: error) }
    }
}

extension KafkaFault {
    enum Kind: Hashable, Sendable {
        case unknownTopic, exists, tooLarge, queueFull, timedOut, authentication, notAllowed, fenced, noBroker
        /// The group is being rebalanced, so the request was rejected.
        case rebalancing
        /// Another broker leads the partition now. librdkafka 2.0.2 keeps sending requests to the old one.
        case moved
        /// The group has no coordinator at the moment, or its coordinator has moved.
        case noCoordinator
        case other
    }

    var kind: Kind { Self.kinds[code] ?? .other }

    private static let kinds: [Int32: Kind] = {
        let lists: [(Kind, [rd_kafka_resp_err_t])] = [
            (
                .unknownTopic,
                [
                    RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC,
                    RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION, RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION,
                ]
            ),
            (.exists, [RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS]),
            (.tooLarge, [RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_RECORD_LIST_TOO_LARGE]),
            (.queueFull, [RD_KAFKA_RESP_ERR__QUEUE_FULL]),
            (
                .timedOut,
                [RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT, RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT]
            ),
            (
                .authentication,
                [
                    RD_KAFKA_RESP_ERR__AUTHENTICATION, RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED,
                    RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM, RD_KAFKA_RESP_ERR__SSL,
                ]
            ),
            (
                .notAllowed,
                [
                    RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED,
                    RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED,
                ]
            ),
            (.fenced, [RD_KAFKA_RESP_ERR_FENCED_INSTANCE_ID]),
            (
                .noBroker,
                [
                    RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN, RD_KAFKA_RESP_ERR__RESOLVE,
                    RD_KAFKA_RESP_ERR_NETWORK_EXCEPTION,
                ]
            ),
            (
                .rebalancing,
                [
                    RD_KAFKA_RESP_ERR_REBALANCE_IN_PROGRESS, RD_KAFKA_RESP_ERR_ILLEGAL_GENERATION,
                    RD_KAFKA_RESP_ERR_UNKNOWN_MEMBER_ID, RD_KAFKA_RESP_ERR__ASSIGNMENT_LOST,
                ]
            ),
            (.moved, [RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION]),
            (
                .noCoordinator,
                [
                    RD_KAFKA_RESP_ERR__WAIT_COORD, RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE,
                    RD_KAFKA_RESP_ERR_NOT_COORDINATOR, RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS,
                ]
            ),
        ]
        var kinds: [Int32: Kind] = [:]
        for (kind, codes) in lists { for code in codes { kinds[code.rawValue] = kind } }
        return kinds
    }()
}

extension KafkaFault {
    /// The topic exists, but some of its partitions have no leader yet.
    static let notReady = KafkaFault(RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE)

    static let unanswered = KafkaFault(RD_KAFKA_RESP_ERR__BAD_MSG, "a broker's response lacks the requested data")

    /// A record that librdkafka had not accepted when the producer was replaced.
    static let abandoned = KafkaFault(RD_KAFKA_RESP_ERR__PURGE_QUEUE)

    var isTransient: Bool {
        guard !isFatal, !isConfiguration, code != RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE.rawValue else { return false }
        switch kind {
        case .authentication, .notAllowed, .fenced, .tooLarge, .exists: return false
        case .other: return !Self.refusals.contains(code)
        default: return true
        }
    }

    /// Codes of kind `other` that a retry does not change.
    private static let refusals: Set<Int32> = Set(
        [
            RD_KAFKA_RESP_ERR_INVALID_PARTITIONS, RD_KAFKA_RESP_ERR_INVALID_REPLICATION_FACTOR,
            RD_KAFKA_RESP_ERR_INVALID_REPLICA_ASSIGNMENT, RD_KAFKA_RESP_ERR_INVALID_CONFIG,
            RD_KAFKA_RESP_ERR_INVALID_REQUEST, RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION,
            RD_KAFKA_RESP_ERR_POLICY_VIOLATION, RD_KAFKA_RESP_ERR_INVALID_GROUP_ID,
        ].map(\.rawValue))

    /// Whether Kafka's authorizer refused access to a group, as opposed to a topic.
    var isAboutGroup: Bool { code == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED.rawValue }

    var isConfiguration: Bool { code == RD_KAFKA_RESP_ERR__INVALID_ARG.rawValue }
}
