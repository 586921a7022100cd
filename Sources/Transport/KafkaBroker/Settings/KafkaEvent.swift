public import Broker

/// What a person should know about a connection to Kafka though no call returns it; for the log. No text holds a secret.
public enum KafkaEvent: Hashable, Sendable {
    /// librdkafka met an error. It goes on by itself.
    case problem(String)
    /// librdkafka's own log line.
    case logged(String)
    case assigned([TopicPartition], group: String)
    /// Nothing of a lost partition was committed: another member may have had it for some time.
    case revoked([TopicPartition], group: String, lost: Bool)
    /// A client did not come back to its cluster, or died, and a new one took its place.
    case recreated(String)
    /// A commit would have passed a record that is not finished: it was not made. A fault in the program.
    case violation(String)
    /// The partition begins below what was read of it: its topic was made anew, or records were lost.
    case rewound(TopicPartition, to: Int64)
    /// The member left its group because nobody asked it for records for that long; it joins again when asked.
    case silent(group: String, for: Duration)
}
