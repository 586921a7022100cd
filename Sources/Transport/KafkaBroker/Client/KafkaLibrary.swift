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
}
