internal import Clock
public import Metrics
internal import Telemetry
public import Web

/// A role's window for machines: `/healthz`, `/readyz` and `/metrics`.
public final class HealthServer: Sendable {
    private let server: WebServer
    private let beating: Task<Void, Never>

    /// Listens at once, so that a role that is still getting warm can be asked.
    ///
    /// - Parameter refresh: brings up to date what is only known when asked; called before each reading of the
    ///   metrics and of the readiness, from the server's threads. Must not wait for long.
    public init(
        _ address: ListenAddress, registry: MetricRegistry, readiness: Readiness, pulse: Heartbeat = Heartbeat(),
        refresh: @escaping @Sendable () -> Void = {}
    ) throws(WebError) {
        pulse.beat()
        server = try WebServer(address) { request in
            switch request.path {
            case "/healthz": Self.health(pulse)
            case "/readyz": Self.readiness(readiness, refresh)
            case "/metrics": Self.metrics(registry, refresh)
            default: .text("There is /healthz, /readyz and /metrics.", status: request.path == "/" ? 200 : 404)
            }
        }
        beating = Task { await pulse.run() }
    }

    /// The port it listens on.
    public var port: UInt16 { server.port }

    public func stop() {
        beating.cancel()
        server.stop()
    }

    private static func health(_ pulse: Heartbeat) -> Response {
        guard let silence = pulse.silence else { return .text("alive") }
        return .text("nothing has run for \(silence.spoken)", status: 503)
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
