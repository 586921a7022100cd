public import Broker
internal import Manifests

/// One run of the coordinator: it accepts what requests ask for, sends the open jobs, and ends jobs as the cataloguer
/// says. It also continues what earlier runs left open.
///
/// It can be stopped at any moment, by cancelling its task or by killing the process. Everything is in the ledger, and
/// the next run continues from there.
public struct CoordinatorRun: Sendable {
    private let ledger: Ledger
    private let transport: any Transport
    private let library: String
    private let settings: RunSettings
    private let report: @Sendable (RunEvent) async -> Void

    /// - Parameters:
    ///   - ledger: the library's ledger, open for writing.
    ///   - transport: a broker that has the topics.
    ///   - library: the library's folder.
    ///   - settings: how the run works.
    ///   - report: gets every event. The run waits until it returns.
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

    /// Returns when everything is done, or soon after its task was cancelled.
    ///
    /// - Parameter requests: planned one after another, while what is accepted is rendered. None only continues what is open.
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, `BrokerError` other than `unavailable`.
    public func run(_ requests: [RunRequest]) async throws -> RunResult {
        let state = RunState()
        do {
            try await work(requests, state)
        } catch is CancellationError {
            // Stopped. The ledger knows what was done.
        }
        let (totals, isOpen) = try await ledger.perform { (try $0.reports.totals(), try $0.outbox.hasOpenJobs()) }
        return RunResult(plan: state.plan, totals: totals, isComplete: state.isPlanned && !isOpen)
    }

    private func work(_ requests: [RunRequest], _ state: RunState) async throws {
        let reconciler = Reconciler(ledger: ledger, transport: transport, settings: settings)
        try await retryingWhileUnavailable(report: report) { try await reconciler.adoptCluster() }
        let open = try await ledger.perform { try $0.reports.totals().open }
        if open > 0 { await report(.foundOpenJobs(open)) }
        let consumer = ResultConsumer(
            ledger: ledger, transport: transport, settings: settings, state: state, report: report)
        let publisher = Publisher(
            ledger: ledger, transport: transport, settings: settings, state: state, report: report)
        let letters = DeadLetterSender(ledger: ledger, transport: transport, state: state, report: report)
        try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask { try await self.plan(requests, state) }
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

    /// Plans the requests and notes the end of the plan in the run's state. A request whose batches were cancelled ends it.
    private func plan(_ requests: [RunRequest], _ state: RunState) async throws -> Part {
        var counts: PlanCounts?
        do {
            for request in requests {
                let planner = Planner(
                    ledger: ledger, library: library, request: request, settings: settings, state: state,
                    report: report)
                counts = (counts ?? PlanCounts()) + (try await planner.plan().total)
            }
        } catch LedgerError.batchCancelled {
            counts = nil
        }
        if let counts { await report(.planned(counts)) }
        state.planEnded(counts)
        return .planner
    }
}
