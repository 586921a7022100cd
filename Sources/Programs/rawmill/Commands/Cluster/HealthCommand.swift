import Arguments
import CommandLineTool
import Telemetry
import Web

/// `rawmill health`: asks a role on this machine how it does.
enum HealthCommand {
    private static let isAlive: Parameter<Bool> = .flag(
        "alive", group: "The cluster", help: "Check liveness (progress) instead of readiness.")

    static let command: Command = Command(
        "health", summary: "Check whether a role on this machine is ready, for health checks.",
        discussion: """
            The role is asked at its --listen address (RAWMILL_LISTEN). The answer is "ready", or one line for each \
            thing that is missing.

            Exit status: 0 ready, 3 not ready or not listening.
            """,
        examples: [.init("rawmill health --listen :9464", "is the role with this --listen ready?")],
        parameters: [RoleHTTPEndpoint.listen, isAlive], isHidden: true
    ) { values in
        guard let address = values[RoleHTTPEndpoint.listen]?.address else {
            throw UsageError("where does the role listen? Give --listen or RAWMILL_LISTEN.", command: values.command)
        }
        guard let answer = LocalRequest(address, path: values[isAlive] ? "/healthz" : "/readyz").send() else {
            TextOutput.standardOutput.write(line: "No role answers at \(address).")
            return ExitStatus.someFailed
        }
        for line in answer.body.split(separator: "\n") { TextOutput.standardOutput.write(line: String(line)) }
        return answer.status == 200 ? ExitStatus.done : ExitStatus.someFailed
    }
}
