import Arguments
import Telemetry

/// The log of commands that talk to a cluster.
enum RoleLog {
    /// The log of a role, which logs what it does.
    static func of(_ role: String, _ values: ArgumentValues) -> Logger {
        let console = Console(terminal: Terminal(descriptor: 2))
        return SharedOptions.logger(values, console: console, usual: .info).with([.role: "\(role)"])
    }

    /// The log of a command that prints its result and ends.
    static func quiet(_ values: ArgumentValues) -> Logger {
        SharedOptions.logger(values, console: Console(terminal: Terminal(descriptor: 2)))
    }
}
