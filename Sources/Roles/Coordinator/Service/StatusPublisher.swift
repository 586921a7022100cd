internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records
internal import Telemetry

/// Keeps the compacted status topic true: every batch that changed, once a second at most, and the coordinator itself.
struct StatusPublisher {
    let ledger: Ledger
    let transport: any Transport
    let report: @Sendable (RunEvent) async -> Void

    private static let pause = Duration.seconds(1)
    private static let heartbeat = Duration.seconds(5)
    /// Of one sending.
    private static let atOnce = 1000

    /// What was told last.
    private struct Told {
        var batches: [BatchID: BatchStatus] = [:]
        var coordinator: CoordinatorStatus?
        var failures: [CoordinatorStatus.ReasonCount] = []
        var clock = Stopwatch()
    }

    /// Runs until the task is cancelled. After an outage everything is told anew: it may be another cluster.
    func run(meet: @Sendable () async throws -> Void) async throws {
        try await persisting(report: report) {
            try await meet()
            try await transport.withProducer { producer in
                var told = Told()
                while !Task.isCancelled {
                    try await tell(&told, producer)
                    try? await Task.sleep(for: Self.pause)
                }
            }
        }
    }

    private func tell(_ told: inout Told, _ producer: any Producer) async throws {
        // Batches first: workers learn that records are out of date before a person reads that all is paused.
        let batches = try await ledger.perform { try $0.batchStatuses() }
        let changed = batches.filter { told.batches[$0.batch] != $0 }
        for start in stride(from: 0, to: changed.count, by: Self.atOnce) {
            let some = changed[start..<min(start + Self.atOnce, changed.count)]
            let records = some.map { Record(key: StatusSubject.batch($0.batch).key, value: $0.encoded()) }
            _ = try await producer.send(records, to: Topics.status)
            for batch in some { told.batches[batch.batch] = batch }
        }
        try await tellMyself(&told, producer)
    }

    private func tellMyself(_ told: inout Told, _ producer: any Producer) async throws {
        let (counts, word) = try await ledger.perform { (try $0.totals(), try $0.operatorWord()) }
        if counts.failed != told.coordinator?.counts.failed {
            // Counting every failed job costs more the more there are: only when there is one more.
            told.failures = try await ledger.perform { store in
                try store.failureCounts().map { .init(reason: $0.reason, jobs: UInt64(clamping: $0.count)) }
            }
        }
        let isNews =
            counts != told.coordinator?.counts || word.isPaused != told.coordinator?.isPaused
            || word.resumes != told.coordinator?.resumes
        guard isNews || told.clock.elapsed >= Self.heartbeat else { return }
        let status = CoordinatorStatus(
            atMilliseconds: WallClock.milliseconds, counts: counts, failures: told.failures, isPaused: word.isPaused,
            resumes: word.resumes)
        _ = try await producer.send(
            [Record(key: StatusSubject.coordinator.key, value: status.encoded())], to: Topics.status)
        told.coordinator = status
        told.clock = Stopwatch()
    }
}
