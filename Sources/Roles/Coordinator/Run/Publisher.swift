internal import Broker
internal import Digest
internal import Jobs
internal import Records

/// Empties the outbox into the jobs topics, and sees to jobs that vanish.
///
/// Delivery: 1. the outbox's entries are read; 2. they are sent, which returns when they are durable; 3. they are
/// marked as published. After a crash before 3 they are found in their topic and marked; where they are not found, they
/// are sent again, which is harmless: they are the same jobs.
struct Publisher {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings
    let state: RunState
    let report: @Sendable (RunEvent) async -> Void

    /// Runs until the task is cancelled.
    ///
    /// - Parameter meet: turns to the broker there is, before each try.
    func run(meet: @Sendable () async throws -> Void = {}) async throws {
        try await persisting(report: report) {
            try await meet()
            try await transport.withProducer { try await publish(with: $0) }
        }
    }

    private func publish(with producer: any Producer) async throws {
        let lastSending = OutboxRecovery(ledger: ledger, transport: transport)
        for topic in [Topics.interactiveJobs, Topics.bulkJobs] { try await lastSending.markFound(in: topic) }
        let reconciler = Reconciler(ledger: ledger, transport: transport, settings: settings)
        // At the start it is looked at once without waiting for quiet: an earlier run may have lost something.
        var lastCheck: ContinuousClock.Instant?
        while !Task.isCancelled {
            let rings = state.bell.rings
            if try await sendSome(with: producer) { continue }
            let isDue = lastCheck.map { $0.duration(to: .now) >= settings.quiet && state.quiet >= settings.quiet }
            if isDue ?? true {
                let count = try await reconciler.sendVanishedAgain()
                if count > 0 { await report(.sentAgain(count)) }
                lastCheck = .now
            }
            // The outbox is looked into even where nobody rings: another process may open jobs too.
            try? await state.bell.interrupting(beyond: rings) { try await Task.sleep(for: .milliseconds(100)) }
        }
    }

    /// False when the outbox is empty.
    private func sendSome(with producer: any Producer) async throws -> Bool {
        let limit = settings.sendBatchSize
        let entries = try await ledger.perform { try $0.outbox(limit: limit) }
        guard let first = entries.first else { return false }
        let topic = first.job.lane == .interactive ? Topics.interactiveJobs : Topics.bulkJobs
        let positions = try await producer.send(entries.map(\.record), to: topic)
        try await ledger.perform { try $0.markPublished(entries, at: positions) }
        return true
    }
}

extension OutboxEntry {
    /// Records of one source keep their order: the key is its fingerprint.
    var record: Record {
        var headers = traceparent.map { [Header(name: JobHeader.traceparent, value: Array($0.utf8))] } ?? []
        // What was never paused or cancelled needs none.
        if epoch > 0 { headers.append(Header(name: JobHeader.epoch, value: Array("\(epoch)".utf8))) }
        return Record(key: job.source.fingerprint.bytes, value: job.encoded(), headers: headers)
    }
}
