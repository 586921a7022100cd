import Broker
import CommandLineTool
import Coordinator
import KafkaBroker
import LibraryTables
import PhotoTree
import Storage
import Worker

/// The records of a topic that no role will read again, and how many of them to delete.
struct TopicTrim {
    let topic: String
    /// By partition, the offset below which to delete all records.
    let offsets: [Int32: Int64]
    let count: Int64
    /// The number of other records that no role will read again.
    let kept: Int64

    /// - Parameters:
    ///   - ranges: the offsets of the topic's records, by partition.
    ///   - finished: the offset, by partition, below which the topic's readers have finished everything. Partitions
    ///     without one are not trimmed.
    ///   - keep: the number of finished records to keep in each partition.
    init(_ topic: String, _ ranges: [Int32: Range<Int64>], finished: [Int32: Int64], keep: Int64) {
        self.topic = topic
        var (offsets, count, kept): ([Int32: Int64], Int64, Int64) = ([:], 0, 0)
        for (partition, range) in ranges {
            // An offset beyond the end belongs to a deleted topic of the same name.
            guard let next = finished[partition], next > range.lowerBound, next <= range.upperBound else { continue }
            let offset = max(range.lowerBound, next - keep)
            kept += next - offset
            guard offset > range.lowerBound else { continue }
            offsets[partition] = offset
            count += offset - range.lowerBound
        }
        (self.offsets, self.count, self.kept) = (offsets, count, kept)
    }
}

/// Determines the positions of the readers of a cluster's topics.
///
/// Workers commit their offsets to Kafka; the coordinator and the cataloguer keep theirs in the ledger and the library.
/// Manifests and dead letters stay: a library can be rebuilt from the former, and users read the latter.
struct TopicTrimPlanner {
    let transport: KafkaTransport
    /// The library's folder, and the ledger's if it is separate; nil without access to them.
    let library: (folder: String, state: String?)?
    let keep: Int64

    /// Throws `CommandFailure` if the topics belong to another library.
    func plan() async throws -> [TopicTrim] {
        let cluster = try await transport.clusterID()
        var finished: [String: [Int32: Int64]] = [:]
        for topic in Topics.jobTopics {
            finished[topic] = try await transport.committed(group: WorkerGroup.name(topic: topic), topic: topic)
        }
        if let library {
            try await addRead(by: library.folder, library.state, of: cluster, to: &finished)
        }
        var trims: [TopicTrim] = []
        for (topic, offsets) in finished.sorted(by: { $0.key < $1.key }) {
            let ranges = try await transport.watermarks(topic: topic)
            trims.append(TopicTrim(topic, ranges, finished: offsets, keep: keep))
        }
        return trims
    }

    /// Adds the positions of the coordinator and the cataloguer.
    private func addRead(
        by folder: String, _ state: String?, of cluster: String, to finished: inout [String: [Int32: Int64]]
    ) async throws {
        guard let ledger = try state.map({ try Ledger.existing(folder: $0) }) ?? Ledger.existing(library: folder) else {
            throw CommandFailure(
                "there is no ledger in \(state ?? folder). If the coordinator uses --state, give the "
                    + "same --state here.")
        }
        let store = try LibraryStore(folder: folder, mode: .read)
        let owner = try await transport.owner()
        guard let owner, try store.identity()?.description == owner else {
            let whose = owner.map { "they belong to the library \($0)" } ?? "no library has claimed them"
            throw CommandFailure("the topics do not belong to the library \(folder): \(whose).")
        }
        let removals = ConsumedTopic(cluster: cluster, topic: Topics.removals)
        var read = [Topics.removals: StoredPosition(cluster: cluster)]
        for (partition, consumed) in try store.tables.offsets.partitions(of: removals) {
            read[Topics.removals]?.next[partition] = consumed.next
            read[Topics.removals]?.known[partition] = consumed.known.map {
                KnownRecord(offset: $0.offset, timestampMilliseconds: $0.sentMilliseconds)
            }
        }
        let (known, control, results) = try await ledger.perform {
            let known = try $0.offsets.knownCluster()
            return (known, try $0.offsets.controlPosition(of: cluster), try $0.offsets.resultsPosition(of: cluster))
        }
        // Offsets of another cluster are meaningless here.
        if known == cluster { (read[Topics.control], read[Topics.results]) = (control, results) }
        for (topic, position) in read {
            // So are those of a topic that was deleted and created again, which is still to be read.
            let changes = try await transport.changes(of: topic, since: position)
            finished[topic] = position.next.filter { changes[$0.key] != .other }
        }
    }
}
