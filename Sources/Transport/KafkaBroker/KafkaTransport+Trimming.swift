internal import Broker

extension KafkaTransport {
    /// Deletes the records of a topic before these offsets, by partition, and returns the offsets of the oldest
    /// remaining ones. Kafka frees the space of a segment without records.
    public func deleteRecords(of topic: String, before offsets: [Int32: Int64]) async throws -> [Int32: Int64] {
        if offsets.isEmpty { return [:] }
        return try await admin.deleteRecords(of: name.external(topic), before: offsets)
    }
}

extension KafkaAdmin {
    func deleteRecords(of topic: String, before offsets: [Int32: Int64]) async throws(BrokerError) -> [Int32: Int64] {
        let positions = offsets.map { (TopicPartition(topic: topic, partition: $0), $1) }
        let ranges = try await watermarks(topic)
        for (partition, offset) in offsets {
            guard let range = ranges[partition] else { throw .unknownTopic(topic) }
            guard offset <= range.upperBound else {
                throw .unavailable(
                    "the topic \(topic) has fewer records than were to be deleted. Was it deleted and created again?")
            }
        }
        let oldest = try await perform(about: topic, "Delete") { (client, time) throws(KafkaFault) in
            try client.deleteRecords(before: Dictionary(uniqueKeysWithValues: positions), within: time)
        }
        return Dictionary(uniqueKeysWithValues: oldest.map { ($0.key.partition, $0.value) })
    }
}
