public import Broker
public import Clock
internal import Jobs

/// The coordinator of a cluster: it takes orders from the control topic, plans them, sends the jobs, ends them
/// according to the cataloguer, and publishes the status. It needs no open port.
///
/// Its ledger holds all state. It can be killed at any moment; the next one continues from there, even with another,
/// empty cluster.
public struct CoordinatorService: Sendable {
    private let ledger: Ledger
    private let transport: any Transport
    private let library: String
    private let roots: RootMap
    private let settings: RunSettings
    private let topics: [Topic]
    private let heartbeat: Heartbeat
    private let report: @Sendable (RunEvent) async -> Void

    /// - Parameters:
    ///   - ledger: the library's ledger, open for writing.
    ///   - roots: the folders that orders may name, with absolute and real paths.
    ///   - topics: created if missing.
    ///   - report: receives every event. The service waits until it returns.
    public init(
        ledger: Ledger, transport: any Transport, library: String, roots: RootMap, settings: RunSettings,
        topics: [Topic], heartbeat: Heartbeat = Heartbeat(), report: @escaping @Sendable (RunEvent) async -> Void
    ) {
        self.ledger = ledger
        self.transport = transport
        self.library = library
        self.roots = roots
        self.settings = settings
        self.topics = topics
        self.heartbeat = heartbeat
        self.report = report
    }

    /// Runs until its task is cancelled. Waits for the broker during outages.
    ///
    /// - Throws: `DatabaseError`, `LedgerError`, `WalkError`, and a permanent `BrokerError`.
    public func run() async throws {
        try await ledger.perform { [roots] in try $0.roots.register(roots) }
        let state = RunState(ledger)
        state.planEnded(nil)
        do {
            try await work(state)
        } catch is CancellationError {
            // Stopped. The ledger has all progress.
        }
    }

    private func work(_ state: RunState) async throws {
        let handshake = BrokerHandshake(
            ledger: ledger, transport: transport, library: library, topics: topics, settings: settings)
        let connect: @Sendable () async throws -> Void = { try await handshake.perform() }
        let publisher = Publisher(
            ledger: ledger, transport: transport, settings: settings, state: state, heartbeat: heartbeat, report: report
        )
        let letters = DeadLetterSender(
            ledger: ledger, transport: transport, heartbeat: heartbeat, report: report)
        let registry = RootRegistry(ledger: ledger, library: library, report: report)
        let results = ResultConsumer(
            ledger: ledger, transport: transport, settings: settings, state: state, witness: registry,
            heartbeat: heartbeat, report: report)
        let writes = StatusTopicWrites()
        let control = ControlConsumer(
            ledger: ledger, transport: transport, heartbeat: heartbeat, writes: writes, report: report)
        try await registry.lookAtAll()
        let status = StatusPublisher(
            ledger: ledger, transport: transport, heartbeat: heartbeat, writes: writes, report: report)
        let reaper = StaleWorkerReaper(transport: transport, settings: settings, report: report)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await publisher.run(connect: connect) }
            group.addTask { try await letters.run(isShared: true, connect: connect) }
            group.addTask { try await results.run(stopsWhenDone: false, connect: connect) }
            group.addTask { try await control.run(connect: connect) }
            group.addTask { try await status.run(connect: connect) }
            group.addTask { try await reaper.run(connect: connect) }
            group.addTask { try await registry.watch(every: settings.rootInterval) }
            // One planner per lane, so that an interactive order does not wait for the walk of an archive.
            for lane in Lane.allCases {
                let planner = OrderPlanner(
                    lane: lane, ledger: ledger, library: library, registry: registry, settings: settings, report: report
                )
                group.addTask { try await planner.run() }
            }
            // The first part that fails ends the others and the service, which is then restarted. `waitForAll` would
            // wait for parts that never end.
            while try await group.next() != nil {}
        }
    }
}
