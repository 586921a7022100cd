import Arguments
import Telemetry

/// The logs of commands that talk to a cluster.
enum RoleLog {
    /// The log of a role.
    static func of(_ role: String, _ values: ArgumentValues) -> Logger {
        let console = Console(terminal: Terminal(descriptor: 2))
        return SharedOptions.logger(values, console: console, usual: .info).with([.role: "\(role)"])
    }

    /// The log of a command that prints its result and ends.
    static func quiet(_ values: ArgumentValues) -> Logger {
        SharedOptions.logger(values, console: Console(terminal: Terminal(descriptor: 2)))
    }
}
