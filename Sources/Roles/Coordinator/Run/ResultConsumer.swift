internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records

/// Reads the cataloguer's results and ends their jobs, or reopens refused ones. The ledger stores the position in the
/// topic together with the results.
struct ResultConsumer {
    let ledger: Ledger
    let transport: any Transport
    let settings: RunSettings
    let state: RunState
    /// Looks for sources that workers missed; nil if all workers run on this machine.
    var witness: RootRegistry?
    var heartbeat = Heartbeat()
    let report: @Sendable (RunEvent) async -> Void

    private static let loop = "results"

    /// Runs until the plan is complete and no job is open, or until the task is cancelled; only the latter unless
    /// `stopsWhenDone`. `connect` is called before each attempt to read from the broker.
    func run(stopsWhenDone: Bool = true, connect: @Sendable () async throws -> Void = {}) async throws {
        defer { heartbeat.rest(Self.loop) }
        try await retryingWhileUnavailable(report: report) {
            heartbeat.beat(Self.loop, extra: BrokerHandshake.maxTime)
            try await connect()
            try await transport.withReader(topic: Topics.results, continuing: try await position()) {
                try await read(with: $0, stopsWhenDone: stopsWhenDone)
            }
        }
    }

    /// Where to continue reading. Offsets of a topic that was created again are deleted.
    private func position() async throws -> StoredPosition {
        let cluster = try await transport.clusterID()
        let position = try await ledger.perform { try $0.offsets.resultsPosition(of: cluster) }
        let changes = try await transport.changes(of: Topics.results, since: position)
        let written = try await transport.watermarks(topic: Topics.manifests).mapValues(\.upperBound)
        return try await ledger.perform { store in
            try store.offsets.applyToResults(changes)
            // Results may be lost with the former topic. Until the cataloguer reports its position, assume the end, so
            // that jobs missing from all topics and workers are sent again.
            if changes.values.contains(.other) { try store.offsets.noteAnswered(written) }
            return try store.offsets.resultsPosition(of: cluster)
        }
    }

    private func read(with reader: any Reader, stopsWhenDone: Bool) async throws {
        let limit = settings.resultBatchSize
        while !Task.isCancelled {
            let signalCount = state.changes.signalCount
            heartbeat.beat(Self.loop)
            if stopsWhenDone, try await isDone() { return }
            // A cancelled batch ends jobs without a result.
            let deliveries = try await state.changes.interrupting(after: signalCount) {
                try await reader.poll(limit: limit, wait: RunState.maxWait)
            }
            if !deliveries.isEmpty { try await merge(deliveries) }
        }
    }

    private func isDone() async throws -> Bool {
        guard state.isPlanned else { return false }
        return try await ledger.perform { try !$0.outbox.hasOpenJobs() && $0.removals.isEmpty && $0.letters.isEmpty }
    }

    private func merge(_ deliveries: [Delivery]) async throws {
        var records: [JobResults] = []
        var next: [Int32: Int64] = [:]
        var known: [Int32: KnownRecord] = [:]
        for delivery in deliveries {
            let partition = delivery.position.partition.partition
            next[partition] = max(next[partition] ?? 0, delivery.position.offset + 1)
            known[partition] = known[partition] ?? KnownRecord(delivery)
            do throws(RecordError) {
                records.append(try JobResults(record: delivery.record.value ?? []))
            } catch {
                await report(.unreadableResult(delivery.position, error))
            }
        }
        if let witness {
            for index in records.indices { records[index].results = try await witness.judged(records[index].results) }
        }
        let delays = settings.refusalDelays
        let (effects, hasToSend) = try await ledger.perform { [records, next, known] store in
            let effects = try store.results.merge(
                records, next: next, known: known, refusalDelays: delays, now: WallClock.milliseconds)
            return (effects, try !store.removals.isEmpty || !store.letters.isEmpty)
        }
        let isRefused = effects.contains { if case .refused = $0 { true } else { false } }
        if hasToSend || isRefused { state.changes.signal() }
        for (result, effect) in zip(records.lazy.flatMap(\.results), effects) {
            switch effect {
            case .ended(let end):
                state.jobsEnded()
                if case .refused(let refusal) = result.outcome { await report(.refusedByLibrary(result, refusal, nil)) }
                await report(.ended(result, end))
            case .refused(let delay):
                state.jobsEnded()
                if case .refused(let refusal) = result.outcome {
                    await report(.refusedByLibrary(result, refusal, delay))
                }
            case .repeated, .unknown: break
            }
        }
    }
}
