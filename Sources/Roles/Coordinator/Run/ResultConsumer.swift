internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records

/// Reads the cataloguer's results and ends their jobs, or opens refused ones again. The ledger stores its position in the
/// topic together with what it read.
struct ResultConsumer {
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
            let offsets = try await ledger.perform { try $0.offsets.results() }
            try await transport.withReader(topic: Topics.results, from: offsets) {
                try await read(with: $0, stopsWhenDone: stopsWhenDone)
            }
        }
    }

    private func read(with reader: any Reader, stopsWhenDone: Bool) async throws {
        let limit = settings.resultBatchSize
        while !Task.isCancelled {
            let signalCount = state.changes.signalCount
            if stopsWhenDone, try await isDone() { return }
            // Polls briefly: another process may end jobs without a result, by cancelling them.
            let deliveries = try await state.changes.interrupting(after: signalCount) {
                try await reader.poll(limit: limit, wait: .milliseconds(100))
            }
            if !deliveries.isEmpty { try await merge(deliveries) }
        }
    }

    private func isDone() async throws -> Bool {
        guard state.isPlanned else { return false }
        return try await ledger.perform { try !$0.outbox.hasOpenJobs() && $0.removals.isEmpty }
    }

    private func merge(_ deliveries: [Delivery]) async throws {
        var records: [JobResults] = []
        var next: [Int32: Int64] = [:]
        for delivery in deliveries {
            let partition = delivery.position.partition.partition
            next[partition] = max(next[partition] ?? 0, delivery.position.offset + 1)
            do throws(RecordError) {
                records.append(try JobResults(record: delivery.record.value ?? []))
            } catch {
                await report(.unreadableResult(delivery.position, error))
            }
        }
        let delays = settings.refusalDelays
        let effects = try await ledger.perform { [records, next] in
            try $0.results.merge(records, next: next, refusalDelays: delays, now: WallClock.milliseconds)
        }
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
