import Arguments
import Telemetry

/// The log of commands that talk to a cluster.
enum RoleLog {
    /// Of a role: it tells what it does.
    static func of(_ role: String, _ values: Values) -> Logger {
        let console = Console(terminal: Terminal(descriptor: 2))
        return SharedOptions.logger(values, console: console, usual: .info).with([.role: "\(role)"])
    }

    /// Of a command that answers and ends.
    static func quiet(_ values: Values) -> Logger {
        SharedOptions.logger(values, console: Console(terminal: Terminal(descriptor: 2)))
    }
}
