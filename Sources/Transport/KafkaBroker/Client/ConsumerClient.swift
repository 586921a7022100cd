internal import Broker
internal import CRdKafka

/// A librdkafka consumer: a group member, or a reader that assigns partitions to itself. Use it on one thread.
final class ConsumerClient {
    enum Event: Hashable, Sendable {
        case record(Delivery)
        case fault(KafkaFault)
        /// The time is over, the poll was woken, or it handled a rebalance.
        case nothing
    }

    /// The offset at which to begin for the oldest record. If it no longer exists, librdkafka's offset reset policy
    /// continues at the oldest existing record.
    ///
    /// `RD_KAFKA_OFFSET_BEGINNING` is not used, because librdkafka must look that offset up. If the response arrives
    /// after the partition was assigned again, version 2.0.2 repeats the lookup half a second later, and a member that
    /// has read on in the meantime jumps back to the beginning.
    static let oldest: Int64 = 0

    let handle: ClientHandle
    /// The queue of `poll`. Wake it to end a poll.
    let consumerQueue: ClientQueue
    /// A queue without records, for pauses of the thread. Wake it to end the wait.
    let waitQueue: ClientQueue

    init(_ properties: [String: String], _ context: ClientContext) throws(KafkaFault) {
        handle = try ClientHandle(.consumer, properties, context)
        let client = unsafe try handle.live()
        // Lets `poll` serve errors and statistics too.
        unsafe try KafkaFault.check(rd_kafka_poll_set_consumer(client))
        consumerQueue = unsafe ClientQueue(rd_kafka_queue_get_consumer(client))
        waitQueue = unsafe ClientQueue(rd_kafka_queue_new(client))
    }

    /// Whether any broker has described the cluster to this client. Stays true during an outage.
    var knowsCluster: Bool {
        guard let client = unsafe handle.pointer, let id = unsafe rd_kafka_clusterid(client, 0) else { return false }
        unsafe rd_kafka_mem_free(client, id)
        return true
    }

    /// Joins the group for these topics. The assignment arrives in a later `poll`.
    func subscribe(_ topics: [String]) throws(KafkaFault) {
        let client = unsafe try handle.live()
        unsafe try KafkaFault.check(PartitionList.topics(topics).withHandle { unsafe rd_kafka_subscribe(client, $0) })
    }

    /// Leaves the group. The revocation arrives in a later `poll`.
    func unsubscribe() throws(KafkaFault) { unsafe try KafkaFault.check(rd_kafka_unsubscribe(try handle.live())) }

    /// Assigns partitions with the offsets to read from; nil means the oldest record.
    func assign(_ offsets: [TopicPartition: Int64?]) throws(KafkaFault) {
        let list = PartitionList(offsets.mapValues { $0 ?? Self.oldest })
        let client = unsafe try handle.live()
        unsafe try KafkaFault.check(list.withHandle { unsafe rd_kafka_assign(client, $0) })
    }

    /// Waits for one record. Batches are not used: `consume_batch` of librdkafka before 2.1.0 skips records after a
    /// pause.
    func poll(_ wait: Duration) -> Event {
        guard let client = unsafe handle.pointer,
            let message = unsafe rd_kafka_consumer_poll(client, wait.timeoutMilliseconds)
        else {
            return .nothing
        }
        defer { unsafe rd_kafka_message_destroy(message) }
        guard unsafe message.pointee.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            let text = unsafe message.pointee.payload.map {
                unsafe String(cString: $0.assumingMemoryBound(to: CChar.self))
            }
            let topic = unsafe message.pointee.rkt.map { unsafe String(cString: rd_kafka_topic_name($0)) }
            return unsafe .fault(KafkaFault(message.pointee.err, text, topic: topic))
        }
        return unsafe .record(Delivery(message))
    }

    /// Pauses partitions. Call it only after polling a record of each: before that, librdkafka does not know the offset
    /// at which to resume.
    func pause(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty, let client = unsafe handle.pointer else { return }
        _ = unsafe PartitionList(partitions).withHandle { unsafe rd_kafka_pause_partitions(client, $0) }
    }

    func resume(_ partitions: Set<TopicPartition>) {
        guard !partitions.isEmpty, let client = unsafe handle.pointer else { return }
        _ = unsafe PartitionList(partitions).withHandle { unsafe rd_kafka_resume_partitions(client, $0) }
    }

    /// The offsets of each partition's oldest record and of the next one to be written, as of the last fetches, without
    /// a request. Unknown partitions are left out.
    func knownRanges(of partitions: some Sequence<TopicPartition>) -> [TopicPartition: Range<Int64>] {
        guard let client = unsafe handle.pointer else { return [:] }
        return partitions.reduce(into: [:]) { ranges, partition in
            var low: Int64 = 0
            var high: Int64 = 0
            let error = unsafe rd_kafka_get_watermark_offsets(client, partition.topic, partition.partition, &low, &high)
            if error == RD_KAFKA_RESP_ERR_NO_ERROR, high >= 0 { ranges[partition] = max(0, min(low, high))..<high }
        }
    }

    func committed(_ partitions: [TopicPartition], within time: Duration) throws(KafkaFault) -> [TopicPartition: Int64]
    {
        unsafe try PartitionList.committed(partitions, try handle.live(), within: time)
    }

    /// Commits offsets and waits for the response, at most for `time`. `rd_kafka_commit` is not used, because it waits
    /// without a limit.
    func commit(_ offsets: [TopicPartition: Int64], within time: Duration) throws(KafkaFault) {
        let client = unsafe try handle.live()
        guard let queue = unsafe rd_kafka_queue_new(client) else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        defer { unsafe rd_kafka_queue_destroy(queue) }
        unsafe try KafkaFault.check(
            PartitionList(offsets).withHandle { unsafe rd_kafka_commit_queue(client, $0, queue, nil, nil) })
        guard let event = unsafe rd_kafka_queue_poll(queue, time.timeoutMilliseconds) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__TIMED_OUT, "no broker answered the commit")
        }
        defer { unsafe rd_kafka_event_destroy(event) }
        unsafe try KafkaFault.check(rd_kafka_event_error(event))
        if let list = unsafe rd_kafka_event_topic_partition_list(event), let fault = unsafe PartitionList.fault(list) {
            throw fault
        }
    }

    /// Leaves the group and destroys the client. librdkafka before 2.1.0 can hang here: never wait for the calling
    /// thread without a deadline.
    func close() {
        if let client = unsafe handle.pointer { _ = unsafe rd_kafka_consumer_close(client) }
        abandon()
    }

    /// Destroys the client without leaving the group. The broker removes the member when its session expires.
    func abandon() {
        consumerQueue.close()
        waitQueue.close()
        handle.destroy()
    }
}
