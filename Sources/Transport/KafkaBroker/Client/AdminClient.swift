internal import Broker
internal import CRdKafka

struct ClusterMetadata: Hashable, Sendable {
    var brokers = 0
    /// The partition numbers of each topic; empty if the broker reported an error for it.
    var topics: [String: [Int32]] = [:]
    /// The topics whose partitions all have a leader.
    var ready: Set<String> = []
}

struct NewTopic: Hashable, Sendable {
    let name: String
    let partitions: Int32
    let replicationFactor: Int32
    /// The configuration, with Kafka's names and values.
    let settings: [String: String]
}

/// A client for requests about the cluster and its topics, and about the offsets of a group that its properties name.
/// Every call blocks for at most the given time.
final class AdminClient {
    let handle: ClientHandle

    /// For librdkafka the client is a consumer: unlike a producer, that never creates a topic by requesting its
    /// metadata.
    ///
    /// - Throws: a fault that names the property if librdkafka rejects one.
    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.consumer, properties, context)
    }

    /// Calls the error callback for pending errors. Does not wait.
    func serve() { if let client = unsafe handle.pointer { _ = unsafe rd_kafka_poll(client, 0) } }

    func abandon() { handle.destroy() }

    /// Requests the metadata of all topics, because brokers before Kafka 0.11 create a topic that is requested by name.
    func metadata(within time: Duration) throws(KafkaFault) -> ClusterMetadata {
        var answer: UnsafePointer<rd_kafka_metadata>?
        unsafe try KafkaFault.check(rd_kafka_metadata(try handle.live(), 1, nil, &answer, time.timeoutMilliseconds))
        guard let answer = unsafe answer else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { unsafe rd_kafka_metadata_destroy(answer) }
        var facts = unsafe ClusterMetadata(brokers: Int(answer.pointee.broker_cnt))
        for unsafe(topic) in unsafe UnsafeBufferPointer(
            start: answer.pointee.topics, count: Int(answer.pointee.topic_cnt))
        {
            guard let name = unsafe topic.topic.map({ unsafe String(cString: $0) }) else { continue }
            let partitions = unsafe UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt))
            facts.topics[name] = unsafe partitions.map(unsafe \.id)
            if !partitions.isEmpty, unsafe partitions.allSatisfy({ unsafe $0.leader >= 0 }) { facts.ready.insert(name) }
        }
        return facts
    }

    /// The offsets that the client's group has committed. Partitions without one are left out.
    ///
    /// `rd_kafka_ListConsumerGroupOffsets` is not used: in librdkafka 2.0.2 it dereferences a null pointer if the
    /// group's coordinator has moved and the client has no group.
    func committed(_ partitions: [TopicPartition], within time: Duration) throws(KafkaFault) -> [TopicPartition: Int64]
    {
        unsafe try PartitionList.committed(partitions, try handle.live(), within: time)
    }

    func clusterID(within time: Duration) throws(KafkaFault) -> String {
        let client = unsafe try handle.live()
        guard let id = unsafe rd_kafka_clusterid(client, time.timeoutMilliseconds) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        defer { unsafe rd_kafka_mem_free(client, id) }
        return unsafe String(cString: id)
    }

    /// The offsets of each partition's oldest record and of the next one to be written.
    ///
    /// `rd_kafka_query_watermark_offsets` is not used. In librdkafka 2.0.2 it sends two requests, and if the broker
    /// rejects only one of them, it can report the partition as empty, without an error. A reader that begins at such
    /// an offset would skip records.
    func watermarks(
        _ topic: String, _ partitions: [Int32], within time: Duration
    ) throws(KafkaFault) -> [Int32: Range<Int64>] {
        let topicPartitions = partitions.map { TopicPartition(topic: topic, partition: $0) }
        let client = unsafe try handle.live()
        let deadline = ContinuousClock.now + time
        let oldest = unsafe try PartitionList.offsets(
            of: topicPartitions, at: Int64(RD_KAFKA_OFFSET_BEGINNING), client, within: time)
        let next = unsafe try PartitionList.offsets(
            of: topicPartitions, at: Int64(RD_KAFKA_OFFSET_END), client, within: max(.zero, deadline - .now))
        var ranges: [Int32: Range<Int64>] = [:]
        for partition in topicPartitions {
            guard let low = oldest[partition], let high = next[partition] else { throw .unanswered }
            ranges[partition.partition] = low..<max(low, high)
        }
        return ranges
    }
}
