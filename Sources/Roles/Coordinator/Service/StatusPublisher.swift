internal import Broker
internal import Clock
internal import Jobs
internal import Manifests
internal import Records

/// Keeps the compacted status topic up to date: every changed batch, at most once a second, and the coordinator.
struct StatusPublisher {
    let ledger: Ledger
    let transport: any Transport
    var heartbeat = Heartbeat()
    var writes = StatusTopicWrites()
    let report: @Sendable (RunEvent) async -> Void

    private static let loop = "status"

    private static let interval = Duration.seconds(1)
    private static let heartbeatInterval = Duration.seconds(5)
    private static let batchSize = 1000

    private struct Snapshot {
        var batches: [BatchID: BatchStatus] = [:]
        var roots: [RootStatus] = []
        var coordinator: CoordinatorStatus?
        var failures: [CoordinatorStatus.ReasonCount] = []
        var lastHeartbeat = Stopwatch()
    }

    /// Runs until the task is cancelled. After an outage everything is published again: the cluster may have been
    /// replaced. `connect` is called before each attempt to send to the broker.
    func run(connect: @Sendable () async throws -> Void) async throws {
        defer { heartbeat.rest(Self.loop) }
        try await retryingWhileUnavailable(report: report) {
            heartbeat.beat(Self.loop, extra: BrokerHandshake.maxTime)
            try await connect()
            let cluster = try await transport.clusterID()
            try await transport.withProducer { producer in
                var last = Snapshot()
                writes.reset()
                try await Periodic.run(every: Self.interval) {
                    heartbeat.beat(Self.loop)
                    // Another part of the coordinator may have noticed that the cluster was replaced. The new one has
                    // none of the published records.
                    guard try await ledger.perform({ try $0.offsets.knownCluster() }) == cluster else {
                        throw BrokerError.replaced("the status is published again, because the cluster was replaced")
                    }
                    try await publishRoots(&last, producer)
                    // Read first: the status published then includes the effect of every command below this offset.
                    let obeyed = try await ledger.perform { try $0.offsets.control(of: cluster) }
                    // Batches first: workers learn which records are out of date before users read that all is paused.
                    try await publishBatches(&last, producer)
                    try await publishCoordinator(&last, controlOffset: obeyed[0] ?? 0, producer)
                }
            }
        }
    }

    private func publishRoots(_ last: inout Snapshot, _ producer: any Producer) async throws {
        let roots = try await ledger.perform { try $0.roots.statuses() }
        guard roots != last.roots else { return }
        let records = roots.map { Record(key: StatusSubject.root($0.root).key, value: $0.encoded()) }
        try writes.note(try await producer.send(records, to: Topics.status))
        last.roots = roots
    }

    private func publishBatches(_ last: inout Snapshot, _ producer: any Producer) async throws {
        let batches = try await ledger.perform { try $0.reports.batchStatuses() }
        let changed = batches.filter { last.batches[$0.batch] != $0 }
        for start in stride(from: 0, to: changed.count, by: Self.batchSize) {
            let page = changed[start..<min(start + Self.batchSize, changed.count)]
            let named = try await withNames(Array(page))
            let records = named.map { Record(key: StatusSubject.batch($0.batch).key, value: $0.encoded()) }
            try writes.note(try await producer.send(records, to: Topics.status))
            for batch in page { last.batches[batch.batch] = batch }
            heartbeat.beat(Self.loop)
        }
    }

    /// Names files only of batches whose counts changed, because reading names is slower than counting.
    private func withNames(_ batches: [BatchStatus]) async throws -> [BatchStatus] {
        try await ledger.perform { store in
            try batches.map { batch in
                var named = batch
                named.files = try store.reports.files(of: batch.batch)
                return named
            }
        }
    }

    private func publishCoordinator(
        _ last: inout Snapshot, controlOffset: Int64, _ producer: any Producer
    ) async throws {
        let (counts, operatorState, refused, unseen) = try await ledger.perform {
            (
                try $0.reports.totals(), try $0.operatorState.current(),
                try UInt64(clamping: $0.reports.refusedCount()), try UInt64(clamping: $0.reports.unseenCount())
            )
        }
        if counts.failed != last.coordinator?.counts.failed {
            // Counting failures by reason gets slower with their number, so it is done only when that changed.
            last.failures = try await ledger.perform { store in
                try store.reports.failureCounts().map { .init(reason: $0.reason, jobs: UInt64(clamping: $0.count)) }
            }
        }
        let isChanged =
            counts != last.coordinator?.counts || refused != last.coordinator?.refused
            || unseen != last.coordinator?.unseen
            || operatorState.isPaused != last.coordinator?.isPaused
            || operatorState.resumes != last.coordinator?.resumes || controlOffset != last.coordinator?.controlOffset
        guard isChanged || last.lastHeartbeat.elapsed >= Self.heartbeatInterval else { return }
        let status = CoordinatorStatus(
            atMilliseconds: WallClock.milliseconds, counts: counts, failures: last.failures,
            isPaused: operatorState.isPaused, resumes: operatorState.resumes, controlOffset: controlOffset,
            refused: refused, unseen: unseen)
        try writes.note(
            try await producer.send(
                [Record(key: StatusSubject.coordinator.key, value: status.encoded())], to: Topics.status))
        last.coordinator = status
        last.lastHeartbeat = Stopwatch()
    }
}
