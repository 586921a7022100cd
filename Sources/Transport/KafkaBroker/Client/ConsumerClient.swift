internal import Broker
internal import CRdKafka

/// A consumer of librdkafka: a member of a group, or a reader that assigns itself. For one thread.
final class ConsumerClient {
    enum Event: Hashable, Sendable {
        case record(Delivery)
        case fault(KafkaFault)
        /// The time is over, it was woken, or a rebalance was served.
        case nothing
    }

    /// Where a partition's oldest record is asked for: at the first that ever was. If that is gone, the policy of resets has
    /// librdkafka go on at the oldest that is left.
    ///
    /// By name (`RD_KAFKA_OFFSET_BEGINNING`) it would have to look that up, and 2.0.2 looks it up again, half a second
    /// later, where the answer comes after the partition was assigned anew: a member that had gone on meanwhile is thrown
    /// back to the beginning.
    static let oldest: Int64 = 0

    let handle: ClientHandle
    /// Wakes `poll`.
    let consumerQueue: ClientQueue
    /// Wakes `waitQueue.rest`: a place to wait at without taking records.
    let waitQueue: ClientQueue

    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.consumer, properties, context)
        let client = try handle.live()
        // Errors and statistics come by the consumer's poll too.
        try KafkaFault.check(rd_kafka_poll_set_consumer(client))
        consumerQueue = ClientQueue(rd_kafka_queue_get_consumer(client))
        waitQueue = ClientQueue(rd_kafka_queue_new(client))
    }

    func subscribe(_ topics: [String]) throws(KafkaFault) {
        let client = try handle.live()
        try KafkaFault.check(PartitionList.topics(topics).withHandle { rd_kafka_subscribe(client, $0) })
    }

    /// Leaves the group; the rebalance follows by `poll`.
    func unsubscribe() throws(KafkaFault) { try KafkaFault.check(rd_kafka_unsubscribe(try handle.live())) }

    /// Begins at these offsets; nil is at the oldest record.
    func assign(_ offsets: [TopicPartition: Int64?]) throws(KafkaFault) {
        let list = PartitionList(offsets.mapValues { $0 ?? Self.oldest })
        let client = try handle.live()
        try KafkaFault.check(list.withHandle { rd_kafka_assign(client, $0) })
    }

    /// One record, never a batch: with `consume_batch`, librdkafka before 2.1.0 skips records after a pause.
    func poll(_ wait: Duration) -> Event {
        guard let client = handle.pointer, let message = rd_kafka_consumer_poll(client, wait.timeoutMilliseconds) else {
            return .nothing
        }
        defer { rd_kafka_message_destroy(message) }
        guard message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let text = message.pointee.payload.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
            return .fault(KafkaFault(message.pointee.err, text))
        }
        return .record(Delivery(message))
    }

    /// Not before a record of each was polled: librdkafka would go on from an offset that it does not know yet.
    func pause(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty, let client = handle.pointer else { return }
        _ = PartitionList(partitions).withHandle { rd_kafka_pause_partitions(client, $0) }
    }

    func resume(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty, let client = handle.pointer else { return }
        _ = PartitionList(partitions).withHandle { rd_kafka_resume_partitions(client, $0) }
    }

    /// From each partition's oldest record to behind its newest, as the last fetches told.
    func knownRanges(of partitions: some Sequence<TopicPartition>) -> [TopicPartition: Range<Int64>] {
        guard let client = handle.pointer else { return [:] }
        return partitions.reduce(into: [:]) { ranges, place in
            var low: Int64 = 0
            var high: Int64 = 0
            let error = rd_kafka_get_watermark_offsets(client, place.topic, place.partition, &low, &high)
            if error == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0 { ranges[place] = max(0, min(low, high))..<high }
        }
    }

    /// Where the group stands in these partitions; those it never committed are left out.
    func committed(_ partitions: [TopicPartition], within time: Duration) throws(KafkaFault) -> [TopicPartition: Int64]
    {
        try PartitionList.committed(partitions, try handle.live(), within: time)
    }

    /// Commits and waits for the answer, at most so long. `rd_kafka_commit` itself would wait without end.
    func commit(_ offsets: [TopicPartition: Int64], within time: Duration) throws(KafkaFault) {
        let client = try handle.live()
        guard let queue = rd_kafka_queue_new(client) else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { rd_kafka_queue_destroy(queue) }
        try KafkaFault.check(
            PartitionList(offsets).withHandle { rd_kafka_commit_queue(client, $0, queue, nil, nil) })
        guard let event = rd_kafka_queue_poll(queue, time.timeoutMilliseconds) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__TIMED_OUT, "the commit was not answered")
        }
        defer { rd_kafka_event_destroy(event) }
        try KafkaFault.check(rd_kafka_event_error(event))
        if let list = rd_kafka_event_topic_partition_list(event), let fault = PartitionList.fault(list) { throw fault }
    }

    /// Leaves the group and frees everything. librdkafka before 2.1.0 can hang in it: nobody should wait without a
    /// deadline for the thread that calls it.
    func close() {
        if let client = handle.pointer { _ = rd_kafka_consumer_close(client) }
        abandon()
    }

    /// Frees everything and tells nobody: the group learns of it by the end of the session.
    func abandon() {
        consumerQueue.close()
        waitQueue.close()
        handle.destroy()
    }
}
