internal import Broker

/// Finds what an earlier run sent and did not live to mark as sent, so that it is not sent, and rendered, again.
struct OutboxRecovery {
    let ledger: Ledger
    let transport: any Transport

    private static let atOnce = 1000
    /// For a record that is there. One that the topic has dropped meanwhile is waited for in vain: it is sent again.
    private static let patience = Duration.seconds(5)

    /// To be called by the task that publishes, before it sends.
    func markFound(in topic: String) async throws {
        let known = try await ledger.perform { try $0.sentOffsets(topic) }
        let ranges = try await transport.watermarks(topic: topic)
        let starts = Dictionary(
            uniqueKeysWithValues: ranges.map { partition, range in
                (partition, max(range.lowerBound, min(known[partition] ?? 0, range.upperBound)))
            })
        var backlog = Backlog(ranges, from: starts)
        guard !backlog.isRead else { return }
        try await transport.withReader(topic: topic, from: starts) { reader in
            while !backlog.isRead {
                let found = try await reader.poll(limit: Self.atOnce, wait: Self.patience).map(SentJob.init)
                if found.isEmpty { return }
                try await ledger.perform { try $0.markFound(found) }
                for position in found.map(\.position) { backlog.read(position) }
            }
        }
    }
}
