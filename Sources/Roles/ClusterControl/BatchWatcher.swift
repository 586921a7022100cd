package import Broker
package import Jobs
package import Manifests

/// Follows the status topic until a batch ends.
package struct BatchWatcher {
    private let batch: BatchID
    private let transport: any Transport

    package init(_ batch: BatchID, _ transport: any Transport) {
        self.batch = batch
        self.transport = transport
    }

    /// Calls `onStatus` with every status of the batch, and returns the last one.
    package func run(_ onStatus: (BatchStatus) -> Void) async throws -> BatchStatus {
        var cluster = ClusterStatus()
        while true {
            do {
                let start = StoredPosition(cluster: try await transport.clusterID())
                return try await transport.withReader(topic: Topics.status, continuing: start) { reader in
                    while true {
                        try Task.checkCancellation()
                        for delivery in try await reader.poll(limit: 1000, wait: .seconds(1)) {
                            cluster.update(delivery)
                            guard StatusSubject(key: delivery.record.key) == .batch(batch), let status = cluster[batch]
                            else { continue }
                            onStatus(status)
                            if status.isOver { return status }
                        }
                    }
                }
            } catch let error as BrokerError where error.isTransient {
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}
