import Broker
import KafkaBroker
import Worker

/// Watches from outside what the workers' groups commit (I4): it must neither go back nor pass the topic's end. That no
/// commit passes an unfinished record, every worker checks before each commit, and logs it.
struct OffsetMonitor {
    var transport: KafkaTransport
    private var last: [TopicPartition: Int64] = [:]
    /// Topics that were deleted and made anew. Kafka accepts a commit by the topic's name: one that was on its way when the
    /// topic was deleted counts for the new one, and may lie behind its end.
    private var recreated: Set<String> = []

    init(_ transport: KafkaTransport) { self.transport = transport }

    /// Forgets a topic whose offsets an operator sets, or that is deleted.
    mutating func forget(_ topic: String, isDeleted: Bool = false) {
        last = last.filter { $0.key.topic != topic }
        if isDeleted { recreated.insert(topic) }
    }

    /// Looks at the offsets now. Topics that cannot be read now are left for the next time.
    ///
    /// - Returns: sentences about what is wrong.
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
