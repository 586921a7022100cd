package import Broker
package import Jobs
package import Manifests
internal import Records

/// The state of a cluster, as last reported by its coordinator and workers.
package struct ClusterStatus {
    package private(set) var coordinator: CoordinatorStatus?
    /// Offset of the coordinator's state in the status topic.
    package private(set) var coordinatorOffset: Int64?

    /// Milliseconds without a heartbeat after which a role is silent. Heartbeats are five seconds apart.
    package static let silentMilliseconds: Int64 = 30_000

    /// In order of submission.
    package var batches: [BatchStatus] {
        byBatch.values.sorted {
            ($0.submittedMilliseconds, $0.batch.description) < ($1.submittedMilliseconds, $1.batch.description)
        }
    }

    package var workers: [WorkerStatus] { byWorker.values.sorted { $0.worker < $1.worker } }

    private var byBatch: [BatchID: BatchStatus] = [:]
    private var byWorker: [[UInt8]: WorkerStatus] = [:]

    package init() {}

    package static func read(_ transport: any Transport) async throws -> ClusterStatus {
        var status = ClusterStatus()
        try await TopicSnapshot.each(Topics.status, transport) { status.update($0) }
        try await TopicSnapshot.each(Topics.workers, transport) { status.update($0) }
        return status
    }

    /// Applies a record of the status or workers topic. Skips unreadable records of later versions.
    package mutating func update(_ delivery: Delivery) {
        let record = delivery.record
        guard delivery.position.partition.topic == Topics.status else { return updateWorker(record) }
        switch (StatusSubject(key: record.key), record.value) {
        case (.coordinator, let value?):
            if let status = try? CoordinatorStatus(record: value) {
                coordinator = status
                coordinatorOffset = delivery.position.offset
            }
        case (.batch(let batch), let value?): byBatch[batch] = (try? BatchStatus(record: value)) ?? byBatch[batch]
        case (.batch(let batch), nil): byBatch[batch] = nil
        default: break
        }
    }

    private mutating func updateWorker(_ record: Record) {
        // A leaving worker sends a record without a value.
        byWorker[record.key] = record.value.flatMap { try? WorkerStatus(record: $0) }
    }

    package subscript(batch: BatchID) -> BatchStatus? { byBatch[batch] }

    /// The only batch whose id begins with the text. Throws `ControlError` if none or several match.
    package func batch(beginning text: String) throws(ControlError) -> BatchID {
        let found = byBatch.keys.filter { $0.description.hasPrefix(text.lowercased()) }
        guard let batch = found.first, found.count == 1 else {
            let cause = found.isEmpty ? "no batch begins" : "\(found.count) batches begin"
            throw ControlError("\(cause) with \"\(text)\": `rawmill status` lists them.")
        }
        return batch
    }
}
