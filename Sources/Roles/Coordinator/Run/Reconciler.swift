internal import Broker

/// Finds jobs that no manifest will ever end, and puts them back into the outbox.
struct Reconciler {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings

    private static let atOnce = 5000

    /// Turns to the broker there is. A fresh one knows nothing of what was sent: everything open is sent again, and
    /// its manifests are read from their beginning.
    func meetBroker() async throws {
        try await ledger.perform { try $0.finishCancellations() }
        let cluster = try await transport.clusterID()
        guard try await ledger.perform({ try $0.knownCluster() }) != cluster else { return }
        // Only when all is back in the outbox is the new broker the known one: a crash before begins this again.
        while try await ledger.perform({ try $0.publishAgain(limit: Self.atOnce) }) > 0 {}
        try await ledger.perform { try $0.turn(to: cluster) }
    }

    /// Jobs that were sent, that no worker has before it any more, and whose manifests did not come though all
    /// manifests are read. To be called by the task that publishes, with the outbox empty, so that nothing is sent
    /// while it is looked.
    ///
    /// - Returns: how many went back into the outbox or were given up.
    func sendVanishedAgain() async throws -> Int {
        guard try await ledger.perform({ try $0.hasPublishedJobs() }), try await isQuiet() else { return 0 }
        let sends = settings.maxSends
        var count = 0
        while true {
            let some = try await ledger.perform { try $0.publishVanishedAgain(limit: Self.atOnce, sends: sends) }
            if some == 0 { return count }
            count += some
        }
    }

    /// A worker finishes a record only after its manifest, or the retry, is durable. So where first the jobs, then the
    /// retries are finished, all manifests there will be are written, and it is enough to have read those.
    private func isQuiet() async throws -> Bool {
        for topic in [Topics.interactiveJobs, Topics.bulkJobs, Topics.retry] {
            guard try await isFinished(topic) else { return false }
        }
        let written = try await transport.watermarks(topic: Topics.manifests)
        let read = try await ledger.perform { try $0.manifestOffsets() }
        return Self.isAll(written, in: read)
    }

    /// Asks what was finished before it asks what there is: what is written in between counts as unfinished.
    private func isFinished(_ topic: String) async throws -> Bool {
        let finished = try await transport.committed(group: settings.workersGroup(topic), topic: topic)
        let written = try await transport.watermarks(topic: topic)
        return Self.isAll(written, in: finished)
    }

    /// True where whoever stands at these offsets has nothing left before it. What was removed nobody will come to.
    private static func isAll(_ written: [Int32: Range<Int64>], in offsets: [Int32: Int64]) -> Bool {
        written.allSatisfy { max(offsets[$0.key] ?? 0, $0.value.lowerBound) >= $0.value.upperBound }
    }
}
