internal import Broker
internal import Clock
internal import Digest
internal import Jobs
internal import Records

/// Sends the outbox to the jobs topics, and lost jobs again.
///
/// (1) Entries of the outbox are read; (2) they are sent, until they are durable; (3) they are marked as sent. After a
/// crash before step 3 they are found in their topic and marked. An entry that is not found is sent again, which is
/// harmless: it is the same job.
struct Publisher {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings
    let state: RunState
    var heartbeat = Heartbeat()
    let report: @Sendable (RunEvent) async -> Void

    private static let loop = "send jobs"

    /// Runs until the task is cancelled. `connect` is called before each attempt to send to the broker.
    func run(connect: @Sendable () async throws -> Void = {}) async throws {
        defer { heartbeat.rest(Self.loop) }
        try await retryingWhileUnavailable(report: report) {
            // Finding sent jobs may require reading a long topic.
            heartbeat.beat(Self.loop, extra: .seconds(3600))
            try await connect()
            try await transport.withProducer { try await publish(with: $0) }
        }
    }

    private func publish(with producer: any Producer) async throws {
        let recovery = OutboxRecovery(ledger: ledger, transport: transport)
        for topic in [Topics.interactiveJobs, Topics.bulkJobs] { try await recovery.markFound(in: topic) }
        let reconciler = Reconciler(ledger: ledger, transport: transport, settings: settings)
        // The first check does not wait for a quiet period: an earlier run may have lost jobs.
        var lastCheck: ContinuousClock.Instant?
        while !Task.isCancelled {
            let signalCount = ledger.changes.signalCount
            heartbeat.beat(Self.loop)
            if try await sendBatch(with: producer) { continue }
            if try await sendRemovals(with: producer) { continue }
            let (released, untilRelease) = try await ledger.perform { store in
                let now = WallClock.milliseconds
                return (try store.outbox.releaseRefused(now: now), try store.outbox.timeUntilRelease(now: now))
            }
            if released > 0 { continue }
            let quietTime = min(lastCheck?.duration(to: .now) ?? settings.quietPeriod, state.timeSinceLastEnd)
            if lastCheck == nil || quietTime >= settings.quietPeriod {
                heartbeat.beat(Self.loop, extra: .seconds(600))
                let count = try await reconciler.republishLost()
                lastCheck = .now
                if count > 0 {
                    // Those that were sent too often became dead letters.
                    ledger.changes.signal()
                    await report(.sentAgain(count))
                    continue
                }
            }
            let untilCheck = max(.milliseconds(1), settings.quietPeriod - quietTime)
            await ledger.changes.waitUnlessCancelled(
                after: signalCount, limit: min(untilRelease ?? untilCheck, untilCheck, RunState.maxWait))
        }
    }

    /// Sends the confirmed removals to the cataloguer. Repeated records are harmless.
    private func sendRemovals(with producer: any Producer) async throws -> Bool {
        let entries = try await ledger.perform { try $0.removals.next(limit: 100) }
        guard let last = entries.last?.number else { return false }
        _ = try await producer.send(entries.map { Record(key: [], value: $0.record) }, to: Topics.removals)
        try await ledger.perform { try $0.removals.remove(through: last) }
        ledger.changes.signal()
        return true
    }

    private func sendBatch(with producer: any Producer) async throws -> Bool {
        let limit = settings.sendBatchSize
        let entries = try await ledger.perform { try $0.outbox.next(limit: limit) }
        guard let first = entries.first else { return false }
        let library = settings.libraryIdentity
        let positions = try await producer.send(entries.map { $0.record(library: library) }, to: first.job.topic)
        try await ledger.perform { try $0.outbox.markSent(entries, at: positions) }
        return true
    }
}
