import Arguments
import CommandLineTool
import HTTPClient
import Telemetry
import Web

enum HealthCommand {
    private static let isAlive: Parameter<Bool> = .flag(
        "alive", group: "The cluster", help: "Check liveness (progress) instead of readiness.")

    static let command: Command = Command(
        "health", summary: "Check whether a role on this machine is ready, for health checks.",
        discussion: """
            Asks the role at its --listen address (RAWMILL_LISTEN). The answer is "ready", or one line for each unmet \
            condition.

            Exit status: 0 ready, 3 not ready or not listening.
            """,
        examples: [.init("rawmill health --listen :9464", "check the role with this --listen")],
        parameters: [RoleHTTPEndpoint.listen, isAlive], isHidden: true
    ) { values in
        guard let address = values[RoleHTTPEndpoint.listen]?.address else {
            throw UsageError("the role's address is missing: give --listen or RAWMILL_LISTEN.", command: values.command)
        }
        guard let answer = answer(of: address, values[isAlive] ? "/healthz" : "/readyz") else {
            TextOutput.standardOutput.write(line: "No role answers at \(address).")
            return ExitStatus.someFailed
        }
        for line in String(decoding: answer.body, as: UTF8.self).split(separator: "\n") {
            TextOutput.standardOutput.write(line: String(line))
        }
        return answer.status == 200 ? ExitStatus.done : ExitStatus.someFailed
    }

    /// A page of the role that listens at an address of this machine; nil if nothing answers by HTTP.
    private static func answer(of address: ListenAddress, _ path: String) -> HTTPAnswer? {
        let servers = address.host.isEmpty ? ["127.0.0.1", "[::1]"].map { "\($0):\(address.port)" } : ["\(address)"]
        for server in servers {
            if let client = try? HTTPClient(server: "http://\(server)", limits: .nearby),
                let answer = try? client.send("GET", path)
            {
                return answer
            }
        }
        return nil
    }
}
