public import Broker
internal import Manifests

/// A run of the coordinator: it accepts the jobs of requests, sends open jobs, and ends jobs according to the
/// cataloguer. It also continues open jobs of earlier runs.
///
/// It can be stopped at any moment, by cancelling its task or by killing the process. The ledger holds all state, and
/// the next run continues from there.
public struct CoordinatorRun: Sendable {
    private let ledger: Ledger
    private let transport: any Transport
    private let library: String
    private let settings: RunSettings
    private let report: @Sendable (RunEvent) async -> Void

    /// - Parameters:
    ///   - ledger: the library's ledger, open for writing.
    ///   - report: receives every event. The run waits until it returns.
    public init(
        ledger: Ledger, transport: any Transport, library: String, settings: RunSettings,
        report: @escaping @Sendable (RunEvent) async -> Void
    ) {
        self.ledger = ledger
        self.transport = transport
        self.library = library
        self.settings = settings
        self.report = report
    }

    /// Plans the requests one after another, while accepted jobs are rendered, and continues open jobs. Returns when
    /// everything is done, or soon after its task was cancelled.
    ///
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, `BrokerError` other than `unavailable`.
    public func run(_ requests: [RunRequest]) async throws -> RunResult {
        let (stream, all) = AsyncStream.makeStream(of: RunRequest.self)
        for request in requests { all.yield(request) }
        all.finish()
        return try await run(following: stream, reportsEachPlan: false)
    }

    /// Returns when no more requests come and everything is done, or soon after its task was cancelled.
    ///
    /// - Parameters:
    ///   - requests: planned one after another as they come, while the accepted jobs are rendered.
    ///   - reportsEachPlan: false reports one plan of all requests, after the last one.
    /// - Throws: as ``run(_:)-([RunRequest])``.
    public func run(
        following requests: AsyncStream<RunRequest>, reportsEachPlan: Bool = true
    ) async throws -> RunResult {
        let state = RunState(ledger)
        do {
            try await work(requests, reportsEachPlan: reportsEachPlan, state)
        } catch is CancellationError {
            // Stopped. The ledger has all progress.
        }
        let (totals, isOpen) = try await ledger.perform { (try $0.reports.totals(), try $0.outbox.hasOpenJobs()) }
        return RunResult(plan: state.plan, totals: totals, isComplete: state.isPlanned && !isOpen)
    }

    private func work(
        _ requests: AsyncStream<RunRequest>, reportsEachPlan: Bool, _ state: RunState
    ) async throws {
        let reconciler = Reconciler(ledger: ledger, transport: transport, settings: settings)
        try await retryingWhileUnavailable(report: report) { try await reconciler.adoptCluster() }
        let open = try await ledger.perform { try $0.reports.totals().open }
        if open > 0 { await report(.foundOpenJobs(open)) }
        let consumer = ResultConsumer(
            ledger: ledger, transport: transport, settings: settings, state: state, report: report)
        let publisher = Publisher(
            ledger: ledger, transport: transport, settings: settings, state: state, report: report)
        let letters = DeadLetterSender(ledger: ledger, transport: transport, report: report)
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask { try await self.plan(requests, reportsEach: reportsEachPlan, state) }
            group.addTask {
                try await publisher.run()
                return .publisher
            }
            group.addTask {
                try await letters.run()
                return .letters
            }
            group.addTask {
                try await consumer.run()
                return .resultConsumer
            }
            // The consumer returns when nothing is left to do. The others would wait for more.
            for try await part in group where part == .resultConsumer { group.cancelAll() }
        }
    }

    private enum Part {
        case planner, publisher, letters, resultConsumer
    }

    /// Plans the requests and records the end of the plan in the run's state. If a request's batches are cancelled
    /// during planning, a caller with a single report gets no plans of further requests.
    private func plan(
        _ requests: AsyncStream<RunRequest>, reportsEach: Bool, _ state: RunState
    ) async throws -> Part {
        var counts: PlanCounts?
        for await request in requests {
            let planner = Planner(
                ledger: ledger, library: library, request: request, settings: settings, state: state, report: report)
            do {
                counts = (counts ?? PlanCounts()) + (try await planner.plan().total)
            } catch LedgerError.batchCancelled where reportsEach {
                // Nothing of it is planned; the report tells the waiting caller.
                counts = counts ?? PlanCounts()
            } catch LedgerError.batchCancelled {
                counts = nil
                break
            }
            if reportsEach, let counts { await report(.planned(counts)) }
        }
        if !reportsEach, let counts { await report(.planned(counts)) }
        state.planEnded(counts)
        return .planner
    }
}
