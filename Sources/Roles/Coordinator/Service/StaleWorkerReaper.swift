internal import Broker
internal import Clock
internal import Telemetry

/// Strikes workers off that were silent for long. One that leaves takes its own status away; one that was killed cannot,
/// and would stand among the others for ever.
///
/// One that is only slow comes back with the next status it sends: nothing but what people see depends on it.
struct StaleWorkerReaper {
    let transport: any Transport
    let settings: RunSettings
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    func run(meet: @Sendable () async throws -> Void) async throws {
        try await persisting(report: report) {
            try await meet()
            // What is old may be followed by what is new: nobody is struck off before all is read.
            let backlog = Backlog(try await transport.watermarks(topic: Topics.workers))
            try await transport.withReader(topic: Topics.workers, from: [:]) { reader in
                try await transport.withProducer { try await keep(reader, after: backlog, $0) }
            }
        }
    }

    private func keep(_ reader: any Reader, after backlog: Backlog, _ producer: any Producer) async throws {
        // When each worker's last status was written, in milliseconds since 1970, by its key.
        var heard: [[UInt8]: Int64] = [:]
        var backlog = backlog
        while !Task.isCancelled {
            let news = try await reader.poll(limit: 1000, wait: min(.seconds(5), settings.workerTimeout))
            for delivery in news {
                backlog.read(delivery.position)
                // A key that cannot be sent back is no worker's.
                guard delivery.record.canBeAnswered else { continue }
                heard[delivery.record.key] = delivery.record.value == nil ? nil : delivery.timestampMilliseconds
            }
            // The last record of a compacted topic may be one that is not handed out.
            if news.isEmpty { backlog = Backlog([:]) }
            guard backlog.isRead else { continue }
            let since = WallClock.milliseconds - settings.workerTimeout.components.seconds * 1000
            let gone = heard.filter { $0.value < since }.map { Record(key: $0.key, value: nil) }
            if !gone.isEmpty { _ = try await producer.send(gone, to: Topics.workers) }
        }
    }
}
