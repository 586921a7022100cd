import Broker
import Coordinator
import KafkaBroker
import Library
import Manifests
import Worker

/// Where everybody stands when a cluster does not come to its end: what the topics hold, how far each reader has come by
/// its own word, and what each process said last.
struct TortureStanding {
    let cluster: TortureCluster
    let transport: KafkaTransport
    private var library: String { cluster.place.library }

    func lines() async -> [String] {
        var lines = [await orders()]
        for topic in Topics.ofJobs {
            let group = WorkerGroup.name(topic: topic)
            lines.append(await line(topic, "the workers") { try await transport.committed(group: group, topic: topic) })
        }
        lines.append(await line(Topics.control, "the coordinator", controlled))
        lines.append(await line(Topics.manifests, "the coordinator", closed))
        lines.append(await line(Topics.manifests, "the cataloguer", merged))
        return lines + cluster.roles.map(\.lastWords)
    }

    /// What the torture itself can read of it.
    private func orders() async -> String {
        do {
            let batches = try await ClusterView.read(transport).batches
            return "\(batches.count) orders are told, \(batches.count { $0.isOver }) are over"
        } catch {
            return "the orders' status: \(CommandFailure(error).message)"
        }
    }

    /// Each partition that the reader has not read to its end.
    private func line(_ topic: String, _ reader: String, _ places: () async throws -> [Int32: Int64]) async -> String {
        do {
            let (ranges, places) = (try await transport.watermarks(topic: topic), try await places())
            let behind = ranges.filter { !$0.value.isEmpty && places[$0.key] ?? 0 < $0.value.upperBound }
            let words = behind.sorted { $0.key < $1.key }.map { partition, range in
                "; \(partition) holds \(range.lowerBound)..<\(range.upperBound), read to \(places[partition] ?? 0)"
            }
            return "\(topic): \(reader) behind in \(behind.count) of \(ranges.count)" + words.joined()
        } catch {
            return "\(topic) and \(reader): \(CommandFailure(error).message)"
        }
    }

    private func controlled() async throws -> [Int32: Int64] {
        let id = try await transport.clusterID()
        return try await Ledger.existing(library: library)?.perform { try $0.controlOffsets(id) } ?? [:]
    }

    private func closed() async throws -> [Int32: Int64] {
        try await Ledger.existing(library: library)?.perform { try $0.manifestOffsets() } ?? [:]
    }

    private func merged() async throws -> [Int32: Int64] {
        let topic = ConsumedTopic(cluster: try await transport.clusterID(), topic: Topics.manifests)
        return try LibraryStore(folder: library, mode: .read).offsets(of: topic)
    }
}
