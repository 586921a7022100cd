public import Clock
public import Metrics
public import Web

/// A role's HTTP server for machines: `/healthz`, `/readyz` and `/metrics`.
public final class HealthServer: Sendable {
    private let server: WebServer
    private let beating: Task<Void, Never>

    /// Listens immediately, so that it responds while the role warms up. The server beats for the process's tasks.
    ///
    /// - Parameter refresh: updates metrics that are only read on request. Called from the server's threads before each
    ///   response of `/metrics` and `/readyz`; must not wait long.
    /// - Throws: `WebError` if it cannot listen there.
    public init(
        _ address: ListenAddress, registry: MetricRegistry, readiness: Readiness, heartbeat: Heartbeat = Heartbeat(),
        refresh: @escaping @Sendable () -> Void = {}
    ) throws(WebError) {
        server = try WebServer(address) { request in
            guard MachineName.isPrivate(request) else {
                return .text("Use this machine's IP address, its own name, or a name without dots.", status: 421)
            }
            return switch request.path {
            case "/healthz": Self.health(heartbeat)
            case "/readyz": Self.readiness(readiness, refresh)
            case "/metrics": Self.metrics(registry, refresh)
            default: .text("Available: /healthz, /readyz and /metrics.", status: request.path == "/" ? 200 : 404)
            }
        }
        beating = Task { await heartbeat.run() }
    }

    /// The port it listens on.
    public var port: UInt16 { server.port }

    /// Stops the server and its heartbeat.
    public func stop() {
        beating.cancel()
        server.stop()
    }

    private static func health(_ heartbeat: Heartbeat) -> Response {
        guard let overdue = heartbeat.overdue else { return .text("alive") }
        return .text("\(overdue)", status: 503)
    }

    private static func readiness(_ readiness: Readiness, _ refresh: () -> Void) -> Response {
        refresh()
        let problems = readiness.problems
        return problems.isEmpty ? .text("ready") : .text(problems.joined(separator: "\n"), status: 503)
    }

    private static func metrics(_ registry: MetricRegistry, _ refresh: () -> Void) -> Response {
        refresh()
        return Response(contentType: MetricRegistry.contentType, body: registry.text)
    }
}
