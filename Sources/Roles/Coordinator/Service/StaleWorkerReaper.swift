internal import Broker
internal import Clock

/// Removes workers without a recent heartbeat from the workers topic. A worker that leaves removes its own status; a
/// killed one cannot.
///
/// A slow worker reappears with its next heartbeat. This only affects what users see.
struct StaleWorkerReaper {
    let transport: any Transport
    let settings: RunSettings
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled. `connect` is called before each attempt to reach the broker.
    func run(connect: @Sendable () async throws -> Void) async throws {
        try await retryingWhileUnavailable(report: report) {
            try await connect()
            // An old heartbeat may be followed by a new one, so no worker is removed before all records are read.
            let backlog = Backlog(try await transport.watermarks(topic: Topics.workers))
            try await transport.withReader(topic: Topics.workers, from: [:]) { reader in
                try await transport.withProducer { try await removeStale(reader, after: backlog, $0) }
            }
        }
    }

    private func removeStale(_ reader: any Reader, after backlog: Backlog, _ producer: any Producer) async throws {
        // By worker key: when its last heartbeat was written, in milliseconds since 1970.
        var lastHeartbeats: [[UInt8]: Int64] = [:]
        var backlog = backlog
        while !Task.isCancelled {
            let deliveries = try await reader.poll(limit: 1000, wait: min(.seconds(5), settings.workerTimeout))
            for delivery in deliveries {
                backlog.read(delivery.position)
                // A key too long to be sent back does not belong to a worker.
                guard delivery.record.leavesRoomForReply else { continue }
                let isRemoved = delivery.record.value == nil
                lastHeartbeats[delivery.record.key] = isRemoved ? nil : delivery.timestampMilliseconds
            }
            // The last record of a compacted topic may never be delivered.
            if deliveries.isEmpty { backlog = Backlog([:]) }
            guard backlog.isRead else { continue }
            let oldest = WallClock.milliseconds - settings.workerTimeout.components.seconds * 1000
            let stale = lastHeartbeats.filter { $0.value < oldest }.map { Record(key: $0.key, value: nil) }
            if !stale.isEmpty { _ = try await producer.send(stale, to: Topics.workers) }
        }
    }
}
