internal import Broker
internal import CRdKafka

extension AdminClient {
    func deleteRecords(
        before offsets: [TopicPartition: Int64], within time: Duration
    ) throws(KafkaFault) -> [TopicPartition: Int64] {
        let list = PartitionList(offsets)
        guard let deletion = unsafe list.withHandle({ unsafe rd_kafka_DeleteRecords_new($0) }) else {
            throw KafkaFault(RD_KAFKA_RESP_ERR__INVALID_ARG)
        }
        defer { unsafe rd_kafka_DeleteRecords_destroy(deletion) }
        var requests: [OpaquePointer?] = unsafe [deletion]
        let answer = unsafe try request(RD_KAFKA_ADMIN_OP_DELETERECORDS, time) { client, options, queue in
            unsafe rd_kafka_DeleteRecords(client, &requests, requests.count, options, queue)
        }
        defer { unsafe rd_kafka_event_destroy(answer) }
        guard let result = unsafe rd_kafka_event_DeleteRecords_result(answer),
            let found = unsafe rd_kafka_DeleteRecords_result_offsets(result)
        else { throw KafkaFault(RD_KAFKA_RESP_ERR__FAIL) }
        if let fault = unsafe PartitionList.fault(found) { throw fault }
        return unsafe PartitionList.offsets(found)
    }
}
