internal import Broker
internal import Jobs
internal import Manifests
internal import Records

/// Reads the manifests and ends their jobs. The ledger stores its position in the topic together with what it read.
struct ManifestConsumer {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the plan is complete and no job is open, or until the task is cancelled.
    ///
    /// - Parameters:
    ///   - stopsWhenDone: false waits for more jobs until the task is cancelled.
    ///   - connect: called before each attempt to read from the broker.
    func run(stopsWhenDone: Bool = true, connect: @Sendable () async throws -> Void = {}) async throws {
        try await retryingWhileUnavailable(report: report) {
            try await connect()
            let offsets = try await ledger.perform { try $0.offsets.manifests() }
            try await transport.withReader(topic: Topics.manifests, from: offsets) {
                try await read(with: $0, stopsWhenDone: stopsWhenDone)
            }
        }
    }

    private func read(with reader: any Reader, stopsWhenDone: Bool) async throws {
        let limit = settings.manifestBatchSize
        while !Task.isCancelled {
            let signalCount = state.changes.signalCount
            if stopsWhenDone, try await isDone() { return }
            // Polls briefly: another process may end jobs without a manifest, by cancelling them.
            let deliveries = try await state.changes.interrupting(after: signalCount) {
                try await reader.poll(limit: limit, wait: .milliseconds(100))
            }
            if !deliveries.isEmpty { try await merge(deliveries) }
        }
    }

    private func isDone() async throws -> Bool {
        guard state.isPlanned else { return false }
        return try await ledger.perform { try !$0.outbox.hasOpenJobs() }
    }

    private func merge(_ deliveries: [Delivery]) async throws {
        var manifests: [Manifest] = []
        var traceparents: [String?] = []
        var next: [Int32: Int64] = [:]
        for delivery in deliveries {
            let partition = delivery.position.partition.partition
            next[partition] = max(next[partition] ?? 0, delivery.position.offset + 1)
            do throws(RecordError) {
                manifests.append(try Manifest(record: delivery.record.value ?? []))
                traceparents.append(delivery.record.text(of: JobHeader.traceparent))
            } catch {
                await report(.unreadableManifest(delivery.position, error))
            }
        }
        let results = try await ledger.perform { [manifests, next] in
            try $0.manifests.merge(manifests, next: next)
        }
        for (index, result) in results.enumerated() {
            guard case .ended(let end) = result else { continue }
            state.jobsEnded()
            await report(.ended(manifests[index], end, traceparent: traceparents[index]))
        }
    }
}
