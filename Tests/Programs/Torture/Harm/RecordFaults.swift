import Broker
import Jobs
import KafkaBroker
import Records
import Samples

/// Additional records that are sent to a cluster's topics.
struct RecordFaults {
    let transport: KafkaTransport
    /// Sends records larger than Rawmill's own; nil if the brokers cannot keep them.
    let unlimited: KafkaTransport?

    // MARK: - Records sent again

    /// Sends newest records of a topic again, each one to four times, in any order.
    ///
    /// - Returns: the number of records, and their topic.
    func resend(_ random: inout SplitMix64) async throws -> (count: Int, topic: String) {
        let topic = [Topics.bulkJobs, Topics.manifests].randomElement(using: &random) ?? Topics.bulkJobs
        var copies: [Record] = []
        for record in try await newest(of: topic, 100, &random) where !Self.killsWorkers(record) {
            for _ in 0..<Int.random(in: 1...4, using: &random) { copies.append(record) }
        }
        copies.shuffle(using: &random)
        _ = try await transport.producer().send(copies, to: topic)
        return (copies.count, topic)
    }

    /// Each copy of such a job would kill more workers.
    private static func killsWorkers(_ record: Record) -> Bool {
        guard let value = record.value, let job = try? Job(record: value) else { return false }
        return Poison(fileName: job.source.raw.file.path.name) == .worker
    }

    // MARK: - Garbage

    /// Sends unreadable records to the workers, the cataloguer or the coordinator.
    ///
    /// - Returns: the topic.
    func sendGarbage(_ count: Int, _ random: inout SplitMix64) async throws -> String {
        let topics = [Topics.bulkJobs, Topics.interactiveJobs, Topics.retry, Topics.manifests, Topics.control]
        let topic = topics.randomElement(using: &random) ?? Topics.bulkJobs
        let genuine = try await newest(of: Topics.bulkJobs, 20, &random)
        var records: [Record] = []
        for _ in 0..<count { records.append(garbage(genuine, &random)) }
        _ = try await (unlimited ?? transport).producer().send(records, to: topic)
        return topic
    }

    /// A connection without Rawmill's limits. Only Kafka's own limit applies, 1 MiB.
    static func unlimitedTransport(_ settings: KafkaSettings) async throws -> KafkaTransport {
        let transport = try KafkaTransport(settings)
        let topics = Topics.cluster(partitions: 16).map { topic in
            Topic(
                name: topic.name, partitions: topic.partitions, retention: topic.retention, maxRecordBytes: maxBytes)
        }
        try await transport.create(topics)
        return transport
    }

    private static let maxBytes = 1_000_000

    /// The size of long garbage. The mock cluster keeps 5 MiB of a partition, read or not, and several hundred records
    /// must fit.
    private var longBytes: Int { unlimited == nil ? 12_000 : 60_000 }

    private func garbage(_ genuine: [Record], _ random: inout SplitMix64) -> Record {
        let key = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
        let value = genuine.randomElement(using: &random)?.value ?? []
        switch Int.random(in: 0..<100, using: &random) % 5 {
        case 0: return Record(key: key, value: nil)
        case 1:
            let isHuge = unlimited != nil && Int.random(in: 0..<20, using: &random) == 0
            let length = isHuge ? Int.random(in: 65_536...900_000, using: &random) : longBytes
            return Record(key: key, value: (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) | 0x80 })
        // A record truncated before its path's length.
        case 2 where value.count > 40:
            return Record(key: key, value: Array(value.prefix(Int.random(in: 1...20, using: &random))) + [0xFF])
        case 3 where !value.isEmpty: return Record(key: key, value: escapingJob(value) ?? [0xFF])
        default:
            let length = Int.random(in: 1...400, using: &random)
            return Record(key: key, value: [0xFF] + (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
    }

    /// A job whose path leaves its root. It is as long as the genuine one.
    private func escapingJob(_ value: [UInt8]) -> [UInt8]? {
        let folder = Array("part-".utf8)
        guard let start = value.firstRange(of: folder)?.lowerBound else { return nil }
        var changed = value
        changed.replaceSubrange(start..<start + 5, with: Array("../..".utf8))
        return changed
    }

    // MARK: - Existing records

    /// Some of the newest records of every partition.
    private func newest(of topic: String, _ count: Int, _ random: inout SplitMix64) async throws -> [Record] {
        let ranges = try await transport.watermarks(topic: topic).filter { !$0.value.isEmpty }
        guard !ranges.isEmpty else { return [] }
        let share = Int64(max(1, count / ranges.count))
        let starts = ranges.mapValues { max($0.lowerBound, $0.upperBound - share) }
        let found = try await transport.withReader(topic: topic, from: starts) { reader in
            var found: [Record] = []
            var emptyPolls = 0
            while found.count < count, emptyPolls < 3 {
                let deliveries = try await reader.poll(limit: count, wait: .seconds(1))
                if deliveries.isEmpty { emptyPolls += 1 }
                found += deliveries.map(\.record)
            }
            return found
        }
        return found.shuffled(using: &random)
    }
}
