import Broker
import Jobs
import Manifests
import Records

/// How a cluster stands, as its coordinator and its workers last said.
struct ClusterView {
    private(set) var coordinator: CoordinatorStatus?
    /// In the order they were submitted.
    var batches: [BatchStatus] {
        byBatch.values.sorted {
            ($0.submittedMilliseconds, $0.batch.description) < ($1.submittedMilliseconds, $1.batch.description)
        }
    }
    var workers: [WorkerStatus] { byWorker.values.sorted { $0.worker < $1.worker } }

    private var byBatch: [BatchID: BatchStatus] = [:]
    private var byWorker: [[UInt8]: WorkerStatus] = [:]

    static func read(_ transport: any Transport) async throws -> ClusterView {
        var view = ClusterView()
        try await TopicTail.each(Topics.status, transport) { view.take($0) }
        try await TopicTail.each(Topics.workers, transport) { view.take($0) }
        return view
    }

    /// A record that cannot be read is of a later version, and passed over.
    mutating func take(_ delivery: Delivery) {
        let record = delivery.record
        guard delivery.position.partition.topic == Topics.status else { return takeWorker(record) }
        switch (StatusSubject(key: record.key), record.value) {
        case (.coordinator, let value?):
            if let status = try? CoordinatorStatus(record: value) { coordinator = status }
        case (.batch(let batch), let value?): byBatch[batch] = (try? BatchStatus(record: value)) ?? byBatch[batch]
        case (.batch(let batch), nil): byBatch[batch] = nil
        default: break
        }
    }

    private mutating func takeWorker(_ record: Record) {
        // A worker that left says so by a record without a value.
        byWorker[record.key] = record.value.flatMap { try? WorkerStatus(record: $0) }
    }

    subscript(batch: BatchID) -> BatchStatus? { byBatch[batch] }

    /// The one batch whose id begins so.
    ///
    /// - Throws: `CommandFailure` where there is none or more than one.
    func batch(beginning text: String) throws -> BatchID {
        let found = byBatch.keys.filter { $0.description.hasPrefix(text.lowercased()) }
        guard let batch = found.first, found.count == 1 else {
            let why = found.isEmpty ? "no batch begins" : "\(found.count) batches begin"
            throw CommandFailure("\(why) with \"\(text)\": `rawmill status` lists them.")
        }
        return batch
    }
}
