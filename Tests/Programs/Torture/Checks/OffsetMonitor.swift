import Broker
import KafkaBroker
import Worker

/// Watches the commits of the workers' groups (I4): they must neither decrease nor exceed the topic's end. Every worker
/// itself checks and logs that no commit passes an unfinished record.
struct OffsetMonitor {
    var transport: KafkaTransport
    private var last: [TopicPartition: Int64] = [:]
    /// Topics that were recreated. Kafka accepts a commit by the topic's name: one in flight when the topic was deleted
    /// counts for the new one, and may exceed its end.
    private var recreated: Set<String> = []

    init(_ transport: KafkaTransport) { self.transport = transport }

    /// Forgets a topic whose offsets an operator sets, or that is deleted.
    mutating func forget(_ topic: String, isDeleted: Bool = false) {
        last = last.filter { $0.key.topic != topic }
        if isDeleted { recreated.insert(topic) }
    }

    /// Checks the current offsets. Unreadable topics are left for the next check.
    ///
    /// - Returns: complaints, as sentences.
    mutating func check() async -> [String] {
        var complaints: [String] = []
        for topic in [Topics.bulkJobs, Topics.interactiveJobs, Topics.retry] {
            guard let committed = try? await transport.committed(group: WorkerGroup.name(topic: topic), topic: topic),
                let ranges = try? await transport.watermarks(topic: topic)
            else { continue }
            for (number, offset) in committed {
                let partition = TopicPartition(topic: topic, partition: number)
                if let before = last[partition], offset < before {
                    complaints.append("\(topic)/\(number) went back from \(before) to \(offset)")
                }
                if let range = ranges[number], offset > range.upperBound {
                    if recreated.contains(topic) { continue }
                    complaints.append("\(topic)/\(number) is at \(offset) and ends at \(range.upperBound)")
                }
                last[partition] = offset
            }
        }
        return complaints
    }
}
