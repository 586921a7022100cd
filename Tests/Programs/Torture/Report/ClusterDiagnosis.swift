import Broker
import ClusterControl
import CommandLineTool
import Coordinator
import KafkaBroker
import LibraryTables
import Manifests
import PhotoTree
import Worker

/// Describes a cluster that did not finish: the contents of its topics, each reader's progress, and the last line of
/// each process's log.
struct ClusterDiagnosis {
    let roles: ClusterRoles
    let transport: KafkaTransport
    private var library: String { roles.layout.library }

    func lines() async -> [String] {
        var lines = [await orders()]
        for topic in Topics.jobTopics {
            let group = WorkerGroup.name(topic: topic)
            lines.append(await line(topic, "the workers") { try await transport.committed(group: group, topic: topic) })
        }
        lines.append(await line(Topics.control, "the coordinator", controlOffsets))
        lines.append(await line(Topics.results, "the coordinator", closedOffsets))
        lines.append(await line(Topics.manifests, "the cataloguer", mergedOffsets))
        return lines + roles.all.map(\.summary)
    }

    /// Orders in the status topic.
    private func orders() async -> String {
        do {
            let batches = try await ClusterStatus.read(transport).batches
            return "\(batches.count) orders are known, \(batches.count { $0.isOver }) are over"
        } catch {
            return "the orders' status: \(CommandFailure(error).message)"
        }
    }

    /// Each partition that the reader has not read to its end.
    private func line(
        _ topic: String, _ reader: String, _ offsets: () async throws -> [Int32: Int64]
    ) async -> String {
        do {
            let (ranges, offsets) = (try await transport.watermarks(topic: topic), try await offsets())
            let behind = ranges.filter { !$0.value.isEmpty && offsets[$0.key] ?? 0 < $0.value.upperBound }
            let details = behind.sorted { $0.key < $1.key }.map { partition, range in
                "; \(partition) holds \(range.lowerBound)..<\(range.upperBound), read to \(offsets[partition] ?? 0)"
            }
            return "\(topic): \(reader) behind in \(behind.count) of \(ranges.count)" + details.joined()
        } catch {
            return "\(topic) and \(reader): \(CommandFailure(error).message)"
        }
    }

    private func controlOffsets() async throws -> [Int32: Int64] {
        let id = try await transport.clusterID()
        return try await Ledger.existing(library: library)?.perform { try $0.offsets.control(of: id) } ?? [:]
    }

    private func closedOffsets() async throws -> [Int32: Int64] {
        try await Ledger.existing(library: library)?.perform { try $0.offsets.results() } ?? [:]
    }

    private func mergedOffsets() async throws -> [Int32: Int64] {
        let topic = ConsumedTopic(cluster: try await transport.clusterID(), topic: Topics.manifests)
        return try LibraryStore(folder: library, mode: .read).tables.offsets.next(of: topic)
    }
}
