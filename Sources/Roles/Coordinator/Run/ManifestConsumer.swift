internal import Broker
internal import Jobs
internal import Manifests
internal import Records

/// Reads the manifests and ends their jobs. Where it is in the topic stands in the ledger, written with what it did.
struct ManifestConsumer {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the plan is complete and no job is open, or the task is cancelled.
    ///
    /// - Parameters:
    ///   - ends: false waits for more jobs for ever.
    ///   - meet: turns to the broker there is, before each try.
    func run(ends: Bool = true, meet: @Sendable () async throws -> Void = {}) async throws {
        try await persisting(report: report) {
            try await meet()
            let offsets = try await ledger.perform { try $0.manifestOffsets() }
            try await transport.withReader(topic: Topics.manifests, from: offsets) {
                try await read(with: $0, ends: ends)
            }
        }
    }

    private func read(with reader: any Reader, ends: Bool) async throws {
        let limit = settings.manifestBatchSize
        while !Task.isCancelled {
            let rings = state.bell.rings
            if ends, try await isDone() { return }
            // Another process may end jobs too, without a manifest: by cancelling them.
            let deliveries = try await state.bell.interrupting(beyond: rings) {
                try await reader.poll(limit: limit, wait: .milliseconds(100))
            }
            if !deliveries.isEmpty { try await close(deliveries) }
        }
    }

    private func isDone() async throws -> Bool {
        guard state.isPlanned else { return false }
        return try await ledger.perform { try !$0.hasOpenJobs() }
    }

    private func close(_ deliveries: [Delivery]) async throws {
        var manifests: [Manifest] = []
        var traces: [String?] = []
        var offsets: [Int32: Int64] = [:]
        for delivery in deliveries {
            let partition = delivery.position.partition.partition
            offsets[partition] = max(offsets[partition] ?? 0, delivery.position.offset + 1)
            do throws(RecordError) {
                manifests.append(try Manifest(record: delivery.record.value ?? []))
                traces.append(delivery.record.text(of: JobHeader.traceparent))
            } catch {
                await report(.unreadableManifest(delivery.position, error))
            }
        }
        let (read, next) = (manifests, offsets)
        let closings = try await ledger.perform { try $0.close(read, offsets: next) }
        for (index, closing) in closings.enumerated() {
            guard case .ended(let end) = closing else { continue }
            state.jobsEnded()
            await report(.ended(read[index], end, traceparent: traces[index]))
        }
    }
}
