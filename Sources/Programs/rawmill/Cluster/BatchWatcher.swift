import Broker
import CommandLineTool
import Jobs
import Manifests

/// Waits for a batch's end, by what the coordinator says of it.
struct BatchWatcher {
    private let batch: BatchID
    private let transport: any Transport

    init(_ batch: BatchID, _ transport: any Transport) {
        self.batch = batch
        self.transport = transport
    }

    /// - Parameter each: gets every status of the batch, as it comes.
    func run(_ each: (BatchStatus) -> Void) async throws -> BatchStatus {
        var view = ClusterStatus()
        while true {
            do {
                return try await transport.withReader(topic: Topics.status, from: [:]) { reader in
                    while true {
                        for delivery in try await reader.poll(limit: 1000, wait: .seconds(1)) {
                            view.update(delivery)
                            guard StatusSubject(key: delivery.record.key) == .batch(batch), let status = view[batch]
                            else { continue }
                            each(status)
                            if status.isOver { return status }
                        }
                    }
                }
            } catch let error as BrokerError where error.isPassing {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
