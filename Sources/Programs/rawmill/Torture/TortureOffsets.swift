import Broker
import KafkaBroker
import Worker

/// Watches from outside what the workers' groups commit (I4): it must neither go back nor stand behind the topic's end.
/// That no commit passes an unfinished record, every worker checks before each commit, and says so in its log.
struct TortureOffsets {
    let transport: KafkaTransport
    private var last: [TopicPartition: Int64] = [:]
    /// Topics that were deleted and made anew. Kafka takes a commit by the topic's name: one that was on its way is told of
    /// the new one, behind its end.
    private var remade: Set<String> = []

    init(_ transport: KafkaTransport) { self.transport = transport }

    /// An operator sets the topic's offsets, or deletes it.
    mutating func forget(_ topic: String, isDeleted: Bool = false) {
        last = last.filter { $0.key.topic != topic }
        if isDeleted { remade.insert(topic) }
    }

    /// - Returns: sentences about what should not be. A broker that cannot be asked now is asked later.
    mutating func check() async -> [String] {
        var complaints: [String] = []
        for topic in [Topics.bulkJobs, Topics.interactiveJobs, Topics.retry] {
            guard let committed = try? await transport.committed(group: WorkerGroup.name(topic: topic), topic: topic),
                let ranges = try? await transport.watermarks(topic: topic)
            else { continue }
            for (partition, offset) in committed {
                let place = TopicPartition(topic: topic, partition: partition)
                if let before = last[place], offset < before {
                    complaints.append("\(topic)/\(partition) went back from \(before) to \(offset)")
                }
                if let range = ranges[partition], offset > range.upperBound {
                    if remade.contains(topic) { continue }
                    complaints.append("\(topic)/\(partition) is at \(offset) and ends at \(range.upperBound)")
                }
                last[place] = offset
            }
        }
        return complaints
    }
}
