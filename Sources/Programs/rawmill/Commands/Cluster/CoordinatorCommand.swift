import Arguments
import Broker
import Clock
import CommandLineTool
import Coordinator
import Database
import Jobs
import KafkaBroker
import Metrics
import Monitoring
import Runs
import Storage
import Telemetry
import Worker

/// `rawmill coordinator`: accepts orders, hands out jobs, and keeps the cluster's ledger.
enum CoordinatorCommand {
    static let state: Parameter<String?> = .optional(
        "state", "DIR", environment: "RAWMILL_STATE", group: "The coordinator", completion: .folders,
        help: """
            Folder for the coordinator's ledger. A local disk is faster and safer than a network share. (default: \
            the library's server, or .rawmill in the library)
            """
    )

    static let command: Command = Command(
        "coordinator", summary: "Run a coordinator: accept orders, hand out jobs and close them until stopped.",
        discussion: """
            The coordinator needs no open port: orders arrive on the topic rawmill.control, and it reports to \
            rawmill.status. A cluster has one at a time. It may be killed at any moment, and Kafka may lose all its \
            data: open jobs are handed out again.

            With the library's tables on PostgreSQL, the ledger is there too, and further coordinators stand by: one \
            takes over within half a minute when the active one stops or hangs.
            """,
        examples: [
            .init(
                "rawmill coordinator --broker kafka://kafka-1:9092 --root archive=/mnt/archive --root library=/mnt/library",
                "for one archive")
        ],
        parameters: BrokerOptions.all + [
            RootOptions.roots, state, DatabaseOption.parameter, RoleHTTPEndpoint.listen, TraceOption.collector,
            UmaskOption.parameter,
        ]
    ) { values in
        RoleLifecycle.starts()
        UmaskOption.apply(values)
        let paths = RootOptions.paths(values)
        let library = try RootOptions.library(paths, values)
        _ = try RootOptions.open(paths, creating: [.library])
        let isMade = try values[state] != nil || DatabaseOption.isApplied(values, to: library)
        if isMade { try NetworkDatabase.refuseLedger(of: library, in: values[state]) }
        let log = RoleLog.of("coordinator", values)
        let monitor = CoordinatorMonitor(MetricRegistry())
        let endpoint = RoleHTTPEndpoint(
            "coordinator", values, registry: monitor.registry, readiness: monitor.readiness,
            roots: paths, disks: ["library": library, "state": values[state] ?? library + "/.rawmill"])
        // With a library on a server, another coordinator may be active; with one in its folder, the lock is taken now
        // or never.
        let isShared = try !isMade || LedgerLocation(library: library).isServers
        let locked = isShared ? nil : try lockedLedger(of: library, in: values[state])
        let transport = try BrokerOptions.transport(values, log: log) { endpoint.update($0) }
        let traces = endpoint.traces.map(CoordinatorTraces.init)
        let roots = try table(paths)
        let coordinate: @Sendable (LockedLedger) async throws -> Void = { locked in
            var settings = RunSettings(workersGroup: WorkerGroup.name)
            settings.libraryIdentity = "\(locked.identity)"
            let service = CoordinatorService(
                ledger: locked.ledger, transport: transport, library: library, roots: roots,
                settings: settings, topics: Topics.cluster(), heartbeat: endpoint.heartbeat
            ) {
                CoordinatorLog.write($0, to: log)
                monitor.record($0)
                traces?.take($0)
            }
            let watching = Task { await monitor.watch(locked.ledger) }
            defer { watching.cancel() }
            try await service.run()
            withExtendedLifetime(locked) {}
        }
        let terms = CoordinatorLeadership(
            library: library, folder: values[state], isShared: isShared, log: log,
            make: { if !isMade { try DatabaseOption.apply(values, to: library) } },
            onStandby: { monitor.readiness.setMet(.open) }, onOutage: { monitor.waits(for: $0) },
            isAlive: { endpoint.heartbeat.overdue == nil })
        let working = Task { try await terms.run(locked, coordinate) }
        return try await endpoint.run(
            RoleLifecycle(log: log, transport: transport), stop: { working.cancel() },
            watch: { await endpoint.group.watch(transport, topics: Topics.jobTopics, group: WorkerGroup.name) }
        ) {
            try await working.value
        }
    }

    /// Nil if its disk is full, which the coordinator waits out.
    private static func lockedLedger(of library: String, in folder: String?) throws -> LockedLedger? {
        do {
            return try LockedLedger(library: library, folder: folder)
        } catch {
            guard CoordinatorOutage(error)?.kind == .diskFull else { throw error }
            return nil
        }
    }

    private static func table(_ paths: [RootName: String]) throws -> RootMap {
        var table = RootMap()
        for (name, path) in paths where name != .library {
            guard let real = RealPath.of(Array(path.utf8)) else {
                throw CommandFailure("the root \(name) does not exist: \(path).")
            }
            table.insert(RegisteredRoot(name: name, path: real))
        }
        return table
    }
}
