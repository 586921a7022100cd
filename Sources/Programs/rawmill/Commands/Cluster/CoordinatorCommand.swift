import Arguments
import Broker
import CommandLineTool
import Coordinator
import Jobs
import KafkaBroker
import Metrics
import Monitoring
import Storage
import Telemetry
import Worker

/// `rawmill coordinator`: accepts orders, hands out jobs, and keeps the cluster's ledger.
enum CoordinatorCommand {
    static let state: Parameter<String?> = .optional(
        "state", "DIR", environment: "RAWMILL_STATE", group: "The coordinator", completion: .folders,
        help:
            "Where its ledger is kept; a local disk is faster and safer than a network's. (default: .rawmill in the library)"
    )

    static let command: Command = Command(
        "coordinator", summary: "Takes orders, hands out jobs and closes them, until it is told to stop.",
        discussion: """
            It needs no open port: orders come by the topic rawmill.control, and it reports to rawmill.status. A cluster \
            has one. It can be killed at any moment, and lose all of Kafka: whatever is not done is handed out again.
            """,
        examples: [
            .init(
                "rawmill coordinator --broker kafka://kafka-1:9092 --root archive=/mnt/archive --root library=/mnt/library",
                "for one archive")
        ],
        parameters: BrokerOptions.all + [
            RootOptions.roots, state, RoleHTTPEndpoint.listen, TraceOption.collector, UmaskOption.parameter,
        ]
    ) { values in
        UmaskOption.apply(values)
        let paths = RootOptions.paths(values)
        let library = try RootOptions.library(paths, values)
        _ = try RootOptions.open(paths, creating: [.library])
        let log = RoleLog.of("coordinator", values)
        let monitor = CoordinatorMonitor(MetricRegistry())
        let endpoint = RoleHTTPEndpoint(
            "coordinator", values, registry: monitor.registry, readiness: monitor.readiness,
            roots: paths, disks: ["library": library, "state": values[state] ?? library + "/.rawmill"])
        let locked = try LockedLedger(library: library, folder: values[state])
        let transport = try BrokerOptions.transport(values, log: log) { endpoint.update($0) }
        let traces = endpoint.traces.map(CoordinatorTraces.init)
        var settings = RunSettings(workersGroup: WorkerGroup.name)
        settings.libraryIdentity = "\(locked.identity)"
        let service = CoordinatorService(
            ledger: locked.ledger, transport: transport, library: library, roots: try table(paths),
            settings: settings, topics: Topics.cluster(), heartbeat: endpoint.heartbeat
        ) {
            CoordinatorLog.write($0, to: log)
            monitor.record($0)
            traces?.take($0)
        }
        let working = Task { try await service.run() }
        return try await endpoint.run(
            RoleLifecycle(log: log, transport: transport), stop: { working.cancel() },
            watch: {
                async let lag: Void = endpoint.group.watch(
                    transport, topics: Topics.jobTopics, group: WorkerGroup.name)
                await monitor.watch(locked.ledger)
                await lag
            }
        ) {
            try await working.value
            withExtendedLifetime(locked) {}
        }
    }

    private static func table(_ paths: [RootName: String]) throws -> RootMap {
        var table = RootMap()
        for (name, path) in paths where name != .library {
            guard let real = RealPath.of(Array(path.utf8)) else {
                throw CommandFailure("the root \(name), \(path), is not there.")
            }
            table.insert(RegisteredRoot(name: name, path: real))
        }
        return table
    }
}
