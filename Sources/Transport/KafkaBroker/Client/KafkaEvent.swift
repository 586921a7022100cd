public import Broker

/// An event of a connection to Kafka that no call returns, for the log. The texts contain no secrets.
public enum KafkaEvent: Hashable, Sendable {
    /// librdkafka reported an error, and recovers automatically.
    case problem(String)
    case logged(String)
    case assigned([TopicPartition], group: String)
    /// The member gave up partitions. If they were `lost`, nothing was committed, because another member may already
    /// have them.
    case revoked([TopicPartition], group: String, lost: Bool)
    /// A client that could not return to its cluster, or failed fatally, was replaced. The text names it and the cause.
    case recreated(String)
    /// A client connected to a broker, for the first time or again. The broker may belong to another cluster.
    case connected
    /// The address leads to another cluster, or this one lost everything: its identity before and now.
    case replaced(String, by: String)
    case topicReplaced(String)
    /// A commit that would have skipped an unfinished record was refused. This is a bug in Rawmill.
    case violation(String)
    /// Reading continues below the last record that was read: the topic was created again, or lost records.
    case rewound(TopicPartition, to: Int64)
    /// The member left its group because no records were requested for this time. The next request joins it again.
    case silent(group: String, for: Duration)
}
