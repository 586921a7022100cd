internal import Broker
internal import CRdKafka

/// A cluster as its metadata tell it.
struct ClusterMetadata: Hashable, Sendable {
    var brokers = 0
    /// Partition numbers of each topic; empty where the broker named the topic with an error.
    var topics: [String: [Int32]] = [:]
    /// Every partition of the topic has a leader.
    var ready: Set<String> = []
}

/// A topic as it is to be made.
struct NewTopic: Hashable, Sendable {
    let name: String
    let partitions: Int32
    let replicationFactor: Int32
    /// Kafka's own names and values.
    let settings: [String: String]
}

/// Asks and changes what belongs to no producer or consumer, or, with a group's name among its properties, what that
/// group committed. Every call blocks, at most as long as it is told.
final class AdminClient {
    let handle: ClientHandle

    /// A consumer by type: unlike a producer, it never makes a topic by asking for it.
    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.consumer, properties, context)
    }

    /// Serves the error callback.
    func serve() { if let client = handle.pointer { _ = rd_kafka_poll(client, 0) } }

    /// Waits, and serves the error callback.
    func wait(_ time: Duration) {
        if let client = handle.pointer { _ = rd_kafka_poll(client, time.timeoutMilliseconds) }
    }

    /// Frees everything; waits for librdkafka's threads.
    func abandon() { handle.destroy() }

    /// All topics are asked for: asking for one by name makes it, on a broker older than Kafka 0.11.
    func metadata(within time: Duration) throws(KafkaFault) -> ClusterMetadata {
        var answer: UnsafePointer<rd_kafka_metadata>?
        try KafkaFault.check(rd_kafka_metadata(try handle.live(), 1, nil, &answer, time.timeoutMilliseconds))
        guard let answer else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { rd_kafka_metadata_destroy(answer) }
        var facts = ClusterMetadata(brokers: Int(answer.pointee.broker_cnt))
        for topic in UnsafeBufferPointer(start: answer.pointee.topics, count: Int(answer.pointee.topic_cnt)) {
            guard let name = topic.topic.map({ String(cString: $0) }) else { continue }
            let partitions = UnsafeBufferPointer(start: topic.partitions, count: Int(topic.partition_cnt))
            facts.topics[name] = partitions.map(\.id)
            if !partitions.isEmpty, partitions.allSatisfy({ $0.leader >= 0 }) { facts.ready.insert(name) }
        }
        return facts
    }

    /// What the client's group committed of these partitions; those it never did are left out.
    ///
    /// Not by `rd_kafka_ListConsumerGroupOffsets`: in librdkafka 2.0.2 that reads a null pointer when the group's
    /// coordinator has moved, where the client has no group of its own.
    func committed(_ partitions: [TopicPartition], within time: Duration) throws(KafkaFault) -> [TopicPartition: Int64]
    {
        try PartitionList.committed(partitions, try handle.live(), within: time)
    }

    func clusterID(within time: Duration) throws(KafkaFault) -> String {
        let client = try handle.live()
        guard let id = rd_kafka_clusterid(client, time.timeoutMilliseconds) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__TIMED_OUT)
        }
        defer { rd_kafka_mem_free(client, id) }
        return String(cString: id)
    }

    /// Offsets of each partition's oldest record and of the next one to be written.
    ///
    /// Not by `rd_kafka_query_watermark_offsets`: in librdkafka 2.0.2 its question is two, and where a broker refuses one
    /// and answers the other it can tell a partition as empty, at its beginning or at its end, and no error. Whoever
    /// began to read there would skip what the partition holds.
    func watermarks(
        _ topic: String, _ partitions: [Int32], within time: Duration
    ) throws(KafkaFault) -> [Int32: Range<Int64>] {
        let places = partitions.map { TopicPartition(topic: topic, partition: $0) }
        let client = try handle.live()
        let deadline = ContinuousClock.now + time
        let oldest = try PartitionList.offsets(of: places, at: Int64(RD_KAFKA_OFFSET_BEGINNING), client, within: time)
        let next = try PartitionList.offsets(
            of: places, at: Int64(RD_KAFKA_OFFSET_END), client, within: max(.zero, deadline - .now))
        var ranges: [Int32: Range<Int64>] = [:]
        for place in places {
            guard let low = oldest[place], let high = next[place] else { throw .unanswered }
            ranges[place.partition] = low..<max(low, high)
        }
        return ranges
    }
}
