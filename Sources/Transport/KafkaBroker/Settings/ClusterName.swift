public import Broker

/// The name of a cluster, a prefix of its topics and groups. Several clusters can share brokers by it.
///
/// The rest of Rawmill uses the names in ``Topics``, and a transport translates: with the name `staging`,
/// `rawmill.control` is the topic `staging.control` at the brokers.
public struct ClusterName: Hashable, Sendable, CustomStringConvertible {
    /// The default name, with which every topic is called as in ``Topics``.
    public static let usual = ClusterName(checked: "rawmill")

    /// The limit of a name's length: the longest topic stays below Kafka's limit of 249 characters.
    public static let maxBytes = 100

    /// The name.
    public let description: String

    private init(checked name: String) { description = name }

    /// Nil for a name that Kafka's topics cannot begin with, or that has a dot: `a.jobs` and `a` would share topics.
    public init?(_ text: String) {
        let isAllowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        guard isAllowed, (1...Self.maxBytes).contains(text.utf8.count) else { return nil }
        self.init(checked: text)
    }

    private static let usualPrefix = "rawmill."
    private var prefix: String { description + "." }

    /// The name of a topic or group at the brokers. Names that are not Rawmill's stay as they are.
    public func external(_ name: String) -> String { replacing(Self.usualPrefix, by: prefix, in: name) }

    /// The topic under its name at the brokers.
    public func external(_ topic: Topic) -> Topic {
        Topic(
            name: external(topic.name), partitions: topic.partitions, retention: topic.retention,
            maxRecordBytes: topic.maxRecordBytes)
    }

    /// Rawmill's own name of a topic or group with this name at the brokers.
    public func own(_ name: String) -> String { replacing(prefix, by: Self.usualPrefix, in: name) }

    func external(_ partition: TopicPartition) -> TopicPartition {
        TopicPartition(topic: external(partition.topic), partition: partition.partition)
    }

    func own(_ partition: TopicPartition) -> TopicPartition {
        TopicPartition(topic: own(partition.topic), partition: partition.partition)
    }

    func external(_ position: Position) -> Position {
        Position(partition: external(position.partition), offset: position.offset)
    }

    func own(_ position: Position) -> Position {
        Position(partition: own(position.partition), offset: position.offset)
    }

    func own(_ delivery: Delivery) -> Delivery {
        Delivery(
            record: delivery.record, position: own(delivery.position),
            timestampMilliseconds: delivery.timestampMilliseconds)
    }

    private func replacing(_ old: String, by new: String, in name: String) -> String {
        guard self != .usual, name.hasPrefix(old) else { return name }
        return new + name.dropFirst(old.count)
    }
}
