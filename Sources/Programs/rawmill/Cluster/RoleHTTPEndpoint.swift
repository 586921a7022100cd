import Arguments
import Broker
import Clock
import CommandLineTool
import Jobs
import KafkaBroker
import Metrics
import Monitoring
import Tracing
import Web
import Worker

/// Reports a role's state: to monitoring at `/healthz`, `/readyz` and `/metrics`, and to the service manager that
/// started it.
final class RoleHTTPEndpoint: Sendable {
    static let listen: Parameter<ListenArgument?> = .optional(
        "listen", "ADDRESS", environment: "RAWMILL_LISTEN", group: "The cluster",
        help: "Serve /healthz, /readyz and /metrics at this address: :9464 or 127.0.0.1:9464. (default: off)")

    private let address: ListenAddress?
    private let registry: MetricRegistry
    private let readiness: Readiness
    private let process: ProcessMonitor
    private let connection: ConnectionMonitor
    private let disks: DiskMonitor
    private let folders: FolderMonitor
    private let manager: ServiceManager?
    let heartbeat = Heartbeat()
    /// Also measures the groups' lag.
    let group: GroupMonitor
    let traces: SpanExporter?

    /// - Parameters:
    ///   - groups: consumer groups that the role must have joined to be ready.
    ///   - roots: folders that must exist for the role to be ready.
    ///   - disks: folders whose free space is reported, by their labels.
    init(
        _ role: String, _ values: ArgumentValues, registry: MetricRegistry, readiness: Readiness, groups: [String] = [],
        roots: [RootName: String], disks: [String: String]
    ) {
        address = values[Self.listen]?.address
        self.registry = registry
        self.readiness = readiness
        process = ProcessMonitor(registry, role: role, version: Version.number, engine: Engine.version)
        connection = ConnectionMonitor(registry, readiness: readiness)
        self.disks = DiskMonitor(registry, folders: disks)
        let paths = roots.map { ($0.key.text, $0.value) }
        folders = FolderMonitor(Dictionary(uniqueKeysWithValues: paths), readiness: readiness)
        manager = ServiceManager { name in
            CommandLineBytes.environment(name).map { String(decoding: $0, as: UTF8.self) }
        }
        manager?.starting()
        traces = TraceOption.exporter(role, values)
        group = GroupMonitor(registry, groups: groups, readiness: readiness)
    }

    func update(_ event: KafkaEvent) {
        switch event {
        case .assigned(_, let name): group.assigned(group: name)
        case .revoked(_, let name, let lost): group.revoked(group: name, lost: lost)
        default: break
        }
    }

    /// Runs the role as a process, reports its state meanwhile, and exports the last spans.
    ///
    /// - Parameters:
    ///   - role: runs the work, and ends it at a signal.
    ///   - stop: asks the work to finish; called once, from any thread.
    ///   - abort: asks it to end with work unfinished.
    ///   - refresh: updates metrics just before they are served. It must not block.
    ///   - watch: updates slower metrics repeatedly until its task is cancelled.
    ///   - work: the role's work.
    /// - Returns: the process's exit status.
    /// - Throws: `CommandFailure` if the address cannot be bound; the errors of `work`.
    func run(
        _ role: RoleLifecycle, stop: @escaping @Sendable () -> Void, abort: @escaping @Sendable () -> Void = {},
        refresh: @escaping @Sendable () -> Void = {}, watch: @escaping @Sendable () async -> Void = {},
        work: () async throws -> Void
    ) async throws -> Int32 {
        let refreshAll = refresher(role.transport, refresh)
        let notifier = manager.map {
            ServiceNotifier($0, readiness: readiness, heartbeat: heartbeat, refresh: refreshAll)
        }
        return try await role.run(
            stop: {
                notifier?.stopping()
                stop()
            }, abort: abort
        ) {
            let server = try server(refreshAll)
            var tasks: [Task<Void, Never>] = []
            if server != nil || notifier != nil {
                tasks = [Task { await watch() }, Task { await folders.watch() }]
            }
            if server != nil { tasks.append(Task { await disks.watch() }) }
            if let notifier { tasks.append(Task { await notifier.run() }) }
            let result: Result<Void, any Error>
            do { result = .success(try await work()) } catch { result = .failure(error) }
            notifier?.stopping()
            for task in tasks { task.cancel() }
            server?.stop()
            await traces?.close(limit: min(.seconds(3), role.transport.timeLeft ?? .seconds(3)))
            try result.get()
        }
    }

    private func refresher(
        _ transport: KafkaTransport, _ refresh: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        { [process, connection, traces] in
            process.refresh()
            connection.update(from: ConnectionFigures(transport.statistics))
            if let figures = traces?.figures {
                process.recordSpans(exported: figures.exported, dropped: figures.dropped)
            }
            refresh()
        }
    }

    private func server(_ refresh: @escaping @Sendable () -> Void) throws -> HealthServer? {
        guard let address else { return nil }
        do throws(WebError) {
            return try HealthServer(
                address, registry: registry, readiness: readiness, heartbeat: heartbeat, refresh: refresh)
        } catch {
            throw CommandFailure("\(error)")
        }
    }
}

extension ConnectionFigures {
    init(_ statistics: KafkaStatistics) {
        self.init(
            sent: statistics.producer.delivered, unsent: statistics.producer.failed,
            recreations: statistics.producer.recreations,
            members: statistics.consumers.map {
                .init(
                    group: $0.group, partitions: $0.partitions, inFlight: $0.inFlight, recreations: $0.recreations,
                    isConnected: $0.isConnected)
            })
    }
}
