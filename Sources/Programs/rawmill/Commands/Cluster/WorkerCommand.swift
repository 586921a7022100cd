import Arguments
import Broker
import Glibc
import Jobs
import Metrics
import Monitoring
import RenderHost
import RenderJobs
import Telemetry
import Worker

enum WorkerCommand {
    private static let group = "The worker"

    static let name: Parameter<String?> = .optional(
        "name", "NAME",
        must: Rule("1 to 200 characters without a slash") { (1...200).contains($0.utf8.count) && !$0.contains("/") },
        environment: "RAWMILL_NAME", group: group,
        help: "Name of the worker in the cluster. (default: host name and process number)")
    static let isStatic: Parameter<Bool> = .flag(
        "static", group: group,
        help: """
            Keep this worker's partitions while it restarts, for up to one session timeout. Needs a unique --name.
            """)
    static let drainTime: Parameter<Double> = .option(
        "drain-time", "SECONDS", default: 25, must: .within(0...86_400), environment: "RAWMILL_DRAIN_TIME",
        group: group,
        help: """
            Time to finish after a stop signal. Renders that are still running 3 s before the end are stopped.
            """)
    static let breaker: Parameter<Int> = .option(
        "breaker", "N", default: 50, must: .within(1...1_000_000), environment: "RAWMILL_BREAKER", group: group,
        help: "Pause the worker after this many consecutive failures, until `rawmill resume`.")
    static let nullRenderer: Parameter<Bool> = .flag(
        "null-renderer", group: group,
        help: """
            Render nothing: write a tiny grey picture for every photo. For load tests only; the library is worthless \
            afterwards.
            """)

    /// Hidden, because the worker chooses the program that fits this processor.
    static let renderProgram: Parameter<String?> = .optional(
        "render-program", "PROGRAM", group: group, isHidden: true,
        help: "Path of the render program. (default: the one for this processor)")

    static let command: Command = Command(
        "worker", summary: "Run a worker: render the cluster's jobs until stopped.",
        discussion: """
            SIGTERM finishes the photos in progress and stops; a second SIGTERM stops at once. Nothing is lost \
            either way: another worker renders the rest.
            """,
        examples: [
            .init(
                "rawmill worker --broker kafka://kafka-1:9092 --root archive=/mnt/archive --root library=/mnt/library",
                "one job per core")
        ],
        parameters: BrokerOptions.all + [
            RootOptions.roots, RoleHTTPEndpoint.listen, TraceOption.collector, UmaskOption.parameter,
        ]
            + WorkerOptions.all + [
                name, isStatic, drainTime, breaker, nullRenderer, renderProgram,
            ]
    ) { values in
        RoleLifecycle.starts()
        UmaskOption.apply(values)
        let settings = settings(values)
        if values[isStatic], values[name] == nil {
            throw UsageError("--static needs a fixed --name.", command: values.command)
        }
        let paths = RootOptions.paths(values)
        let library = try RootOptions.library(paths, values)
        let log = RoleLog.of("worker", values)
        let monitor = WorkerMonitor(MetricRegistry())
        let endpoint = RoleHTTPEndpoint(
            "worker", values, registry: monitor.registry, readiness: monitor.readiness,
            groups: Topics.jobTopics.map(WorkerGroup.name), roots: paths,
            disks: ["library": library])
        let transport = try BrokerOptions.transport(
            values, log: log, instanceID: values[isStatic] ? settings.name : nil
        ) { endpoint.update($0) }
        let traces = endpoint.traces.map(WorkerTraces.init)
        let role = WorkerRole(
            settings: settings, transport: transport, roots: try RootOptions.open(paths),
            log: log, heartbeat: endpoint.heartbeat
        ) {
            monitor.record($0)
            traces?.take($0)
        }
        return try await endpoint.run(
            RoleLifecycle(log: log, transport: transport, drainTime: .seconds(values[drainTime])),
            stop: { role.stop() }, abort: { role.stop() }, refresh: { role.snapshot.map(monitor.refresh) }
        ) { try await role.run() }
    }

    private static func settings(_ values: ArgumentValues) -> WorkerSettings {
        var settings = WorkerOptions.settings(values)
        settings.name = values[name] ?? "\(WorkerSettings.hostName)-\(getpid())"
        settings.render.isNull = values[nullRenderer]
        settings.breakerThreshold = values[breaker]
        if let path = values[renderProgram] { settings.program = RenderProgram(path: path) }
        settings.onStorageLoss = .wait
        settings.heartbeatInterval = .seconds(5)
        settings.followsDirectives = true
        settings.passesNewerJobs = true
        return settings
    }
}
