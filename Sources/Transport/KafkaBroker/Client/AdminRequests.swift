internal import Broker
internal import CRdKafka

extension AdminClient {
    /// Creates topics. Existing ones stay as they are. Throws the first topic's error.
    func create(_ topics: [NewTopic], within time: Duration) throws(KafkaFault) {
        var requests: [OpaquePointer?] = unsafe []
        defer { for unsafe(request) in unsafe requests { unsafe rd_kafka_NewTopic_destroy(request) } }
        for topic in topics { unsafe requests.append(try Self.request(topic)) }
        let answer = unsafe try request(RD_KAFKA_ADMIN_OP_CREATETOPICS, time) { client, options, queue in
            unsafe rd_kafka_CreateTopics(client, &requests, requests.count, options, queue)
        }
        defer { unsafe rd_kafka_event_destroy(answer) }
        var count = 0
        let result = unsafe rd_kafka_event_CreateTopics_result(answer)
        guard let list = unsafe rd_kafka_CreateTopics_result_topics(result, &count) else { return }
        for index in 0..<count {
            let code = unsafe rd_kafka_topic_result_error(list[index])
            let name = unsafe rd_kafka_topic_result_name(list[index]).map { unsafe String(cString: $0) } ?? "?"
            let message = unsafe rd_kafka_topic_result_error_string(list[index]).map { unsafe String(cString: $0) }
            let fault = KafkaFault(code, "the topic \(name) was not created: \(message ?? "no reason given")")
            guard code == RD_KAFKA_RESP_ERR_NO_ERROR || fault.kind == .exists else { throw fault }
        }
    }

    private static func request(_ topic: NewTopic) throws(KafkaFault) -> OpaquePointer {
        var message = [CChar](repeating: 0, count: 256)
        guard
            let request = unsafe rd_kafka_NewTopic_new(
                topic.name, topic.partitions, topic.replicationFactor, &message, message.count)
        else { throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG, String(terminated: message)) }
        for (name, value) in topic.settings { _ = unsafe rd_kafka_NewTopic_set_config(request, name, value) }
        return unsafe request
    }

    /// Sends a request and waits for its result event, which the caller must destroy. Throws the fault of the whole
    /// request; results of its parts may still contain errors.
    func request(
        _ operation: rd_kafka_admin_op_t, _ time: Duration,
        _ send: (OpaquePointer, OpaquePointer?, OpaquePointer) -> Void
    ) throws(KafkaFault) -> OpaquePointer {
        let client = unsafe try handle.live()
        let options = unsafe rd_kafka_AdminOptions_new(client, operation)
        defer { unsafe rd_kafka_AdminOptions_destroy(options) }
        // Fails for operations without a request timeout. The error is ignored.
        _ = unsafe rd_kafka_AdminOptions_set_request_timeout(options, max(1, time.timeoutMilliseconds), nil, 0)
        guard let queue = unsafe rd_kafka_queue_new(client) else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        unsafe send(client, options, queue)
        guard let answer = unsafe rd_kafka_queue_poll(queue, (time + .seconds(1)).timeoutMilliseconds) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        let code = unsafe rd_kafka_event_error(answer)
        guard code == RD_KAFKA_RESP_ERR_NO_ERROR else {
            defer { unsafe rd_kafka_event_destroy(answer) }
            throw unsafe KafkaFault(code, String(cString: rd_kafka_event_error_string(answer)))
        }
        return unsafe answer
    }
}
