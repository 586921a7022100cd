internal import Broker

/// Finds records that a killed run sent but did not mark as sent. They are marked now instead of being sent and
/// rendered again.
struct OutboxRecovery {
    let ledger: Ledger
    let transport: any Transport

    private static let batchSize = 1000
    /// How long to wait for an expected record. If the topic has deleted it, the job is sent again.
    private static let maxWait = Duration.seconds(5)

    /// Reads a jobs topic from the first unknown record. Call it in the publishing task, before it sends.
    func markFound(in topic: String) async throws {
        let known = try await ledger.perform { try $0.offsets.sent(in: topic) }
        let ranges = try await transport.watermarks(topic: topic)
        let starts = Dictionary(
            uniqueKeysWithValues: ranges.map { partition, range in
                (partition, max(range.lowerBound, min(known[partition] ?? 0, range.upperBound)))
            })
        var backlog = Backlog(ranges, from: starts)
        guard !backlog.isRead else { return }
        try await transport.withReader(topic: topic, from: starts) { reader in
            while !backlog.isRead {
                let found = try await reader.poll(limit: Self.batchSize, wait: Self.maxWait).map(SentJob.init)
                if found.isEmpty { return }
                try await ledger.perform { try $0.outbox.markFound(found) }
                for position in found.map(\.position) { backlog.read(position) }
            }
        }
    }
}
