public import Broker

/// An event on a connection to Kafka that no call returns, for the log. The texts contain no secrets.
public enum KafkaEvent: Hashable, Sendable {
    /// librdkafka reported an error, and continues by itself.
    case problem(String)
    /// A line of librdkafka's log.
    case logged(String)
    /// The member got partitions.
    case assigned([TopicPartition], group: String)
    /// The member lost partitions. If they were `lost`, nothing was committed, because another member may already have
    /// had them.
    case revoked([TopicPartition], group: String, lost: Bool)
    /// A client could not return to its cluster, or failed for good, and was replaced. The text says which client and
    /// why.
    case recreated(String)
    /// A client is connected to a broker for the first time, or again after a connection ended. It may be another
    /// cluster's.
    case connected
    /// Another cluster is behind the address, or this one lost everything: its identity before and now.
    case replaced(String, by: String)
    /// The topic was deleted and created again while it was read.
    case topicReplaced(String)
    /// A commit was not made because it would have skipped an unfinished record. This is a bug in Rawmill.
    case violation(String)
    /// Reading continues below the last record that was read: the topic was created again, or it lost records.
    case rewound(TopicPartition, to: Int64)
    /// The member left its group because no records were requested for this time. The next request joins it again.
    case silent(group: String, for: Duration)
}
