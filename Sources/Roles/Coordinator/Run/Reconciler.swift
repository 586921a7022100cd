internal import Broker

/// Finds jobs that no result will ever end, and returns them to the outbox.
struct Reconciler {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings

    private static let batchSize = 5000

    /// Adapts the ledger to the transport's cluster. A new cluster has none of the sent records: all open jobs are sent
    /// again, and its results are read from the beginning.
    func adoptCluster() async throws {
        try await ledger.perform { try $0.control.finishCancellations() }
        let cluster = try await transport.clusterID()
        guard try await ledger.perform({ try $0.offsets.knownCluster() }) != cluster else { return }
        // The cluster becomes known only when all jobs are back in the outbox, so that a crash before repeats this.
        while try await ledger.perform({ try $0.outbox.republish(limit: Self.batchSize) }) > 0 {}
        try await ledger.perform { try $0.offsets.switchCluster(to: cluster) }
    }

    /// Returns sent jobs to the outbox that no worker has any more and whose manifests are missing although the
    /// cataloguer has answered all manifests. Returns how many were sent again or failed. Call it in the publishing
    /// task, with the outbox empty, so that nothing is sent meanwhile.
    func republishLost() async throws -> Int {
        guard try await ledger.perform({ try $0.outbox.hasPublishedJobs() }), try await isEverythingRead() else {
            return 0
        }
        let maxSends = settings.maxSends
        var count = 0
        while true {
            let republished = try await ledger.perform {
                try $0.outbox.republishLost(limit: Self.batchSize, maxSends: maxSends)
            }
            if republished == 0 { return count }
            count += republished
        }
    }

    /// A worker commits a record only after its manifest or its retry is durable. So once all jobs and then all retries
    /// are committed, every manifest is in the topic, and the cataloguer's answers to those are sufficient.
    private func isEverythingRead() async throws -> Bool {
        for topic in [Topics.interactiveJobs, Topics.bulkJobs, Topics.retry] {
            guard try await isCommitted(topic) else { return false }
        }
        let written = try await transport.watermarks(topic: Topics.manifests)
        let answered = try await ledger.perform { try $0.offsets.answered() }
        return Self.includes(answered, all: written)
    }

    /// Reads committed offsets first, so that a record written in between counts as not committed.
    private func isCommitted(_ topic: String) async throws -> Bool {
        let committed = try await transport.committed(group: settings.workersGroup(topic), topic: topic)
        let written = try await transport.watermarks(topic: topic)
        return Self.includes(committed, all: written)
    }

    /// Whether nothing is left to read from these offsets. Deleted records do not count.
    private static func includes(_ offsets: [Int32: Int64], all written: [Int32: Range<Int64>]) -> Bool {
        written.allSatisfy { max(offsets[$0.key] ?? 0, $0.value.lowerBound) >= $0.value.upperBound }
    }
}
