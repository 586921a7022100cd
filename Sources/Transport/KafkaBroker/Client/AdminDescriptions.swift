internal import CRdKafka

struct PartitionMetadata: Hashable, Sendable {
    let replicas: Int
    let inSyncReplicas: Int
    let hasLeader: Bool
}

extension AdminClient {
    func layout(within time: Duration) throws(KafkaFault) -> (brokers: [Int32], topics: [String: [PartitionMetadata]]) {
        var answer: UnsafePointer<rd_kafka_metadata>?
        unsafe try KafkaFault.check(rd_kafka_metadata(try handle.live(), 1, nil, &answer, time.timeoutMilliseconds))
        guard let answer = unsafe answer else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { unsafe rd_kafka_metadata_destroy(answer) }
        var topics: [String: [PartitionMetadata]] = [:]
        for unsafe(topic) in unsafe UnsafeBufferPointer(
            start: answer.pointee.topics, count: Int(answer.pointee.topic_cnt))
        {
            guard let name = unsafe topic.topic.map({ unsafe String(cString: $0) }) else { continue }
            topics[name] = unsafe UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt)).map {
                unsafe PartitionMetadata(
                    replicas: Int($0.replica_cnt), inSyncReplicas: Int($0.isr_cnt),
                    hasLeader: $0.leader >= 0)
            }
        }
        let brokers = unsafe UnsafeBufferPointer(start: answer.pointee.brokers, count: Int(answer.pointee.broker_cnt))
        return unsafe (brokers.map(unsafe \.id), topics)
    }

    /// The configuration of a topic or a broker, with defaults and without secret values.
    func settings(
        of resource: ConfigResource, within time: Duration
    ) throws(KafkaFault) -> [String: String] {
        guard let asked = unsafe rd_kafka_ConfigResource_new(resource.kind, resource.name) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG)
        }
        var requests: [OpaquePointer?] = unsafe [asked]
        defer { unsafe rd_kafka_ConfigResource_destroy(asked) }
        let answer = unsafe try request(RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, time) { client, options, queue in
            unsafe rd_kafka_DescribeConfigs(client, &requests, requests.count, options, queue)
        }
        defer { unsafe rd_kafka_event_destroy(answer) }
        var count = 0
        let result = unsafe rd_kafka_event_DescribeConfigs_result(answer)
        guard let list = unsafe rd_kafka_DescribeConfigs_result_resources(result, &count), count > 0,
            let found = unsafe list[0]
        else { return [:] }
        unsafe try KafkaFault.check(rd_kafka_ConfigResource_error(found))
        return unsafe Self.values(of: found)
    }

    private static func values(of resource: OpaquePointer) -> [String: String] {
        var count = 0
        guard let entries = unsafe rd_kafka_ConfigResource_configs(resource, &count) else { return [:] }
        var values: [String: String] = [:]
        for index in 0..<count {
            guard let entry = unsafe entries[index], let name = unsafe rd_kafka_ConfigEntry_name(entry),
                let value = unsafe rd_kafka_ConfigEntry_value(entry),
                unsafe rd_kafka_ConfigEntry_is_sensitive(entry) == 0
            else { continue }
            unsafe values[String(cString: name)] = unsafe String(cString: value)
        }
        return values
    }
}

enum ConfigResource: Hashable, Sendable {
    case topic(String)
    case broker(Int32)

    fileprivate var kind: rd_kafka_ResourceType_t {
        switch self {
        case .topic: RD_KAFKA_RESOURCE_TOPIC
        case .broker: RD_KAFKA_RESOURCE_BROKER
        }
    }

    fileprivate var name: String {
        switch self {
        case .topic(let name): name
        case .broker(let number): "\(number)"
        }
    }
}
