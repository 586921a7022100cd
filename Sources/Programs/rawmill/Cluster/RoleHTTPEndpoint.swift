import Arguments
import Broker
import CommandLineTool
import Jobs
import KafkaBroker
import Metrics
import Monitoring
import Tracing
import Web
import Worker

/// A role's HTTP endpoint for monitoring: `/healthz`, `/readyz` and `/metrics`. It serves what all roles have in common.
final class RoleHTTPEndpoint: Sendable {
    static let listen: Parameter<ListenArgument?> = .optional(
        "listen", "ADDRESS", environment: "RAWMILL_LISTEN", group: "The cluster",
        help: "Serves /healthz, /readyz and /metrics at this address: :9464, or 127.0.0.1:9464. (default: nowhere)")

    private let address: ListenAddress?
    private let registry: MetricRegistry
    private let readiness: Readiness
    private let process: ProcessMonitor
    private let connection: ConnectionMonitor
    /// Also measures how far behind the groups are.
    let group: GroupMonitor
    /// Exports spans; nil without `--traces`.
    let traces: SpanExporter?

    /// - Parameter groups: consumer groups the role has to be in before it is ready.
    init(
        _ role: String, _ values: ArgumentValues, registry: MetricRegistry, readiness: Readiness, groups: [String] = []
    ) {
        address = values[Self.listen]?.address
        self.registry = registry
        self.readiness = readiness
        process = ProcessMonitor(registry, role: role, version: Version.number, engine: Engine.version)
        connection = ConnectionMonitor(registry, readiness: readiness)
        traces = TraceOption.exporter(role, values)
        group = GroupMonitor(registry, groups: groups, readiness: readiness)
    }

    /// Takes an event of the role's connection to Kafka.
    func update(_ event: KafkaEvent) {
        switch event {
        case .assigned(_, let name): group.assigned(group: name)
        case .revoked(_, let name, let lost): group.revoked(group: name, lost: lost)
        default: break
        }
    }

    /// Does the role's work, and serves meanwhile if `--listen` asks for it; then exports the last spans.
    ///
    /// - Parameters:
    ///   - refresh: updates metrics right before they are served. It must not wait for long.
    ///   - watch: updates metrics that take longer, again and again, until its task is cancelled.
    ///   - work: the role's work.
    /// - Throws: `CommandFailure` where the address cannot be listened at; what `work` throws.
    func serve(
        _ transport: KafkaTransport, refresh: @escaping @Sendable () -> Void = {},
        watch: @escaping @Sendable () async -> Void = {}, work: () async throws -> Void
    ) async throws {
        let server = try server(transport, refresh)
        let watching = server.map { _ in Task { await watch() } }
        let result: Result<Void, any Error>
        do { result = .success(try await work()) } catch { result = .failure(error) }
        watching?.cancel()
        server?.stop()
        await traces?.close(limit: min(.seconds(3), transport.timeLeft ?? .seconds(3)))
        try result.get()
    }

    private func server(
        _ transport: KafkaTransport, _ refresh: @escaping @Sendable () -> Void
    ) throws -> HealthServer? {
        guard let address else { return nil }
        do throws(WebError) {
            return try HealthServer(address, registry: registry, readiness: readiness) {
                [process, connection, traces] in
                process.refresh()
                connection.update(from: ConnectionFigures(transport.statistics))
                if let figures = traces?.figures {
                    process.recordSpans(exported: figures.exported, dropped: figures.dropped)
                }
                refresh()
            }
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

/// `ADDRESS:PORT`
struct ListenArgument: ArgumentValue {
    let address: ListenAddress

    init(argument: [UInt8]) throws(InvalidArgument) {
        guard let address = ListenAddress(String(decoding: argument, as: UTF8.self)) else {
            throw InvalidArgument("an address and a port: :9464, 127.0.0.1:9464, [::1]:9464")
        }
        self.address = address
    }

    var argumentText: String { "\(address)" }
}
