public import Broker
internal import Manifests

/// The coordinator at work: it accepts what a request asks for, gives out what is open, and ends jobs as their
/// manifests arrive. What earlier runs left open is carried on.
///
/// It can be stopped at any moment, by cancelling its task or by killing the process: everything is in the ledger, and
/// the next run goes on from there.
public struct CoordinatorRun: Sendable {
    private let ledger: Ledger
    private let transport: any Transport
    private let library: String
    private let settings: RunSettings
    private let report: @Sendable (RunEvent) async -> Void

    /// - Parameters:
    ///   - transport: has the topics.
    ///   - library: the library's folder.
    ///   - report: is told what happens; while it does not return, the run waits.
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
    /// - Parameter request: nil only carries on what is open.
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, `BrokerError` other than `unavailable`.
    public func run(_ request: RunRequest?) async throws -> RunResult {
        let state = RunState()
        do {
            try await work(request, state)
        } catch is CancellationError {
            // Stopped: the ledger says how far it came.
        }
        let (totals, isOpen) = try await ledger.perform { (try $0.totals(), try $0.hasOpenJobs()) }
        return RunResult(plan: state.plan, totals: totals, isComplete: state.isPlanned && !isOpen)
    }

    private func work(_ request: RunRequest?, _ state: RunState) async throws {
        let reconciler = Reconciler(ledger: ledger, transport: transport, settings: settings)
        try await persisting(report: report) { try await reconciler.meetBroker() }
        let open = try await ledger.perform { try $0.totals().open }
        if open > 0 { await report(.foundOpenJobs(open)) }
        try await withThrowingTaskGroup(of: Part.self) { group in
            let closer = ManifestConsumer(
                ledger: ledger, transport: transport, settings: settings, state: state, report: report)
            let publisher = Publisher(
                ledger: ledger, transport: transport, settings: settings, state: state, report: report)
            group.addTask { try await self.plan(request, state) }
            group.addTask {
                try await publisher.run()
                return .publisher
            }
            group.addTask {
                try await closer.run()
                return .closer
            }
            // The closer returns when nothing is left to do; the publisher would wait for more.
            for try await part in group where part == .closer { group.cancelAll() }
        }
    }

    private enum Part {
        case planner, publisher, closer
    }

    private func plan(_ request: RunRequest?, _ state: RunState) async throws -> Part {
        guard let request else {
            state.planEnded(nil)
            return .planner
        }
        let planner = Planner(
            ledger: ledger, library: library, request: request, settings: settings, state: state, report: report)
        try await planner.run()
        return .planner
    }
}
