internal import Broker
internal import CRdKafka

/// librdkafka's list of partitions. Each entry has an offset and an error.
/// Safe: the pointer is private and valid as long as the value.
@safe struct PartitionList: ~Copyable {
    typealias Handle = UnsafeMutablePointer<rd_kafka_topic_partition_list_t>

    private let handle: Handle

    init(_ partitions: some Collection<TopicPartition>) {
        self.init(partitions.map { ($0, Int64(RD_KAFKA_OFFSET_INVALID)) })
    }

    init(_ offsets: [TopicPartition: Int64]) { self.init(offsets.map { ($0.key, $0.value) }) }

    private init(_ entries: [(TopicPartition, Int64)]) {
        unsafe handle = rd_kafka_topic_partition_list_new(Int32(clamping: entries.count))
        for (partition, offset) in entries {
            unsafe rd_kafka_topic_partition_list_add(handle, partition.topic, partition.partition).pointee.offset =
                offset
        }
    }

    deinit { unsafe rd_kafka_topic_partition_list_destroy(handle) }

    /// Calls `body` with the list. The pointer is valid until `body` returns.
    borrowing func withHandle<Result: ~Copyable>(_ body: (Handle) -> Result) -> Result { unsafe body(handle) }

    static func topics(_ names: [String]) -> PartitionList {
        PartitionList(names.map { TopicPartition(topic: $0, partition: RD_KAFKA_PARTITION_UA) })
    }

    /// The offsets that the client's group has committed. Partitions without one are left out.
    static func committed(
        _ partitions: some Collection<TopicPartition>, _ client: OpaquePointer, within time: Duration
    ) throws(KafkaFault) -> [TopicPartition: Int64] {
        let list = PartitionList(partitions)
        unsafe try KafkaFault.check(list.withHandle { unsafe rd_kafka_committed(client, $0, time.timeoutMilliseconds) })
        if let fault = unsafe list.withHandle({ unsafe fault($0) }) { throw fault }
        return unsafe list.withHandle { unsafe offsets($0) }
    }

    /// The offsets of the partitions' first records since a time, requested from the partitions' leaders.
    ///
    /// - Parameter time: milliseconds since 1970, or a logical offset: `RD_KAFKA_OFFSET_BEGINNING`,
    ///   `RD_KAFKA_OFFSET_END`.
    static func offsets(
        of partitions: some Collection<TopicPartition>, at time: Int64, _ client: OpaquePointer, within: Duration
    ) throws(KafkaFault) -> [TopicPartition: Int64] {
        guard !partitions.isEmpty else { return [:] }
        let list = PartitionList(partitions.map { ($0, time) })
        unsafe try KafkaFault.check(
            list.withHandle { unsafe rd_kafka_offsets_for_times(client, $0, within.timeoutMilliseconds) })
        if let fault = unsafe list.withHandle({ unsafe fault($0) }) { throw fault }
        return unsafe list.withHandle { unsafe offsets($0) }
    }

    static func entries(
        _ list: UnsafePointer<rd_kafka_topic_partition_list_t>
    ) -> UnsafeBufferPointer<rd_kafka_topic_partition_t> {
        unsafe UnsafeBufferPointer(start: list.pointee.elems, count: max(0, Int(list.pointee.cnt)))
    }

    static func partitions(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> [TopicPartition] {
        unsafe entries(list).map { unsafe TopicPartition($0) }
    }

    /// The offsets of the list, without entries that have an error or no offset.
    static func offsets(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> [TopicPartition: Int64] {
        var offsets: [TopicPartition: Int64] = [:]
        for unsafe(entry) in unsafe entries(list)
        where unsafe entry.err == RD_KAFKA_RESP_ERR_NO_ERROR && entry.offset >= 0 {
            unsafe offsets[TopicPartition(entry)] = unsafe entry.offset
        }
        return offsets
    }

    static func fault(_ list: UnsafePointer<rd_kafka_topic_partition_list_t>) -> KafkaFault? {
        unsafe entries(list).first { unsafe $0.err != RD_KAFKA_RESP_ERR_NO_ERROR }.map { unsafe KafkaFault($0.err) }
    }
}

extension TopicPartition {
    init(_ entry: rd_kafka_topic_partition_t) {
        unsafe self.init(topic: entry.topic.map { unsafe String(cString: $0) } ?? "", partition: unsafe entry.partition)
    }
}
