public import Broker
internal import Jobs

/// The coordinator of a cluster: it takes orders from the control topic, plans them, gives out the jobs, ends them as
/// their manifests arrive, and tells how everything stands. It needs no open port.
///
/// Everything it knows is in its ledger. It can be killed at any moment; the next one goes on from there, also with
/// another, empty cluster.
public struct CoordinatorService: Sendable {
    private let ledger: Ledger
    private let transport: any Transport
    private let library: String
    private let roots: RootMap
    private let settings: RunSettings
    private let topics: [Topic]
    private let report: @Sendable (RunEvent) async -> Void

    /// - Parameters:
    ///   - library: the library's folder on this machine.
    ///   - roots: the folders that orders may name; absolute and real paths.
    ///   - topics: made where the cluster has lost them.
    ///   - report: is told what happens; while it does not return, the service waits.
    public init(
        ledger: Ledger, transport: any Transport, library: String, roots: RootMap, settings: RunSettings,
        topics: [Topic], report: @escaping @Sendable (RunEvent) async -> Void
    ) {
        self.ledger = ledger
        self.transport = transport
        self.library = library
        self.roots = roots
        self.settings = settings
        self.topics = topics
        self.report = report
    }

    /// Runs until its task is cancelled; outages of the broker are waited for.
    ///
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, `BrokerError` that trying again does not cure.
    public func run() async throws {
        try await ledger.perform { [roots] in try $0.register(roots) }
        let state = RunState()
        state.planEnded(nil)
        do {
            try await work(state)
        } catch is CancellationError {
            // Stopped: the ledger says how far it came.
        }
    }

    private func work(_ state: RunState) async throws {
        let doorstep = BrokerHandshake(ledger: ledger, transport: transport, topics: topics, settings: settings)
        let meet: @Sendable () async throws -> Void = { try await doorstep.meetBroker() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            let closer = ManifestConsumer(
                ledger: ledger, transport: transport, settings: settings, state: state, report: report)
            let publisher = Publisher(
                ledger: ledger, transport: transport, settings: settings, state: state, report: report)
            let control = ControlReader(ledger: ledger, transport: transport, report: report)
            let status = StatusPublisher(ledger: ledger, transport: transport, report: report)
            let roll = StaleWorkerReaper(transport: transport, settings: settings, report: report)
            group.addTask { try await publisher.run(meet: meet) }
            group.addTask { try await closer.run(ends: false, meet: meet) }
            group.addTask { try await control.run(meet: meet) }
            group.addTask { try await status.run(meet: meet) }
            group.addTask { try await roll.run(meet: meet) }
            // An interactive order does not wait for the walk of an archive.
            for lane in Lane.allCases {
                let planner = OrderPlanner(
                    lane: lane, ledger: ledger, library: library, settings: settings, report: report)
                group.addTask { try await planner.run() }
            }
            // The first that fails ends the others, and the service: it is started again, and goes on. `waitForAll` would
            // wait for those that never end.
            while try await group.next() != nil {}
        }
    }
}

/// Lets the parts of a service turn to the broker there is, one at a time: each asks when it begins anew after an
/// outage, because it may be another cluster than before.
actor BrokerHandshake {
    private let ledger: Ledger
    private let transport: any Transport
    private let topics: [Topic]
    private let settings: RunSettings
    private var meeting: Task<Void, any Error>?

    init(ledger: Ledger, transport: any Transport, topics: [Topic], settings: RunSettings) {
        self.ledger = ledger
        self.transport = transport
        self.topics = topics
        self.settings = settings
    }

    func meetBroker() async throws {
        if let meeting { return try await meeting.value }
        let task = Task { [ledger, transport, topics, settings] in
            try await transport.create(topics)
            try await Reconciler(ledger: ledger, transport: transport, settings: settings).meetBroker()
        }
        meeting = task
        defer { meeting = nil }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
