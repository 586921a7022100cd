internal import CRdKafka

/// The loaded librdkafka, and what depends on its version.
///
/// Groups rebalance eagerly with every version: see the decision "Eager rebalancing" in the documentation.
public enum KafkaLibrary {
    /// Such as `2.0.2`.
    public static var version: String { unsafe String(cString: rd_kafka_version_str()) }

    /// Whether SASL SCRAM works with every Kafka. Before 2.6.1 librdkafka sends a wrong nonce, which Kafka 3 accepts
    /// and every Kafka 4 refuses (librdkafka's pull request 4895).
    public static var hasWorkingSCRAM: Bool { isWorkingSCRAM(version: rd_kafka_version()) }

    static func isWorkingSCRAM(version: Int32) -> Bool { version >= 0x0206_01ff }

    /// Whether a client survives the deletion and recreation of a topic that it uses. From 2.4 on librdkafka also
    /// indexes topics by their ids, and keeps freed memory when a topic of the same name returns with another id: the
    /// process may crash (librdkafka's issues 4778, 4964 and 5093, the last about 2.8). The first fixed version is
    /// unknown.
    public static var survivesRecreatedTopics: Bool { isSurvivingRecreatedTopics(version: rd_kafka_version()) }

    static func isSurvivingRecreatedTopics(version: Int32) -> Bool { version < 0x0204_0000 }

    /// Whether `fetch.queue.backoff.ms` sets how soon a full queue of fetched records is checked again: from 2.2 on.
    public static var hasQueueBackoff: Bool { hasQueueBackoff(version: rd_kafka_version()) }

    static func hasQueueBackoff(version: Int32) -> Bool { version >= 0x0202_0000 }
}
