internal import CRdKafka

/// The librdkafka that is loaded, and what its version decides. Nothing else asks for the version.
///
/// Groups rebalance eagerly with every version: see the decision "Eager rebalancing" in the documentation.
public enum KafkaLibrary {
    /// Such as `2.0.2`.
    public static var version: String { String(cString: rd_kafka_version_str()) }

    /// Whether SASL SCRAM works with every Kafka. Before 2.6.1 librdkafka sends a wrong nonce, which Kafka 3 takes and
    /// every Kafka 4 refuses (librdkafka's pull request 4895).
    public static var hasWorkingSCRAM: Bool { isWorkingSCRAM(version: rd_kafka_version()) }

    /// - Parameter version: as `rd_kafka_version()` has it, 0xMMmmrrpp.
    static func isWorkingSCRAM(version: Int32) -> Bool { version >= 0x0206_01ff }

    /// Whether a client lives on when a topic that it uses is deleted and created again. From 2.4 on librdkafka also finds what
    /// it knows of topics by their ids, and keeps what is freed where a topic of the same name comes with another one: the
    /// process may crash (librdkafka's issues 4778, 4964 and 5093, the last of them about 2.8). It is not known here which
    /// version is the first without that.
    public static var survivesRecreatedTopics: Bool { isSurvivingRecreatedTopics(version: rd_kafka_version()) }

    /// - Parameter version: as `rd_kafka_version()` has it, 0xMMmmrrpp.
    static func isSurvivingRecreatedTopics(version: Int32) -> Bool { version < 0x0204_0000 }

    /// Whether it can be said when a full queue of fetched records is looked at again: `fetch.queue.backoff.ms`, from 2.2 on.
    public static var hasQueueBackoff: Bool { hasQueueBackoff(version: rd_kafka_version()) }

    /// - Parameter version: as `rd_kafka_version()` has it, 0xMMmmrrpp.
    static func hasQueueBackoff(version: Int32) -> Bool { version >= 0x0202_0000 }
}
