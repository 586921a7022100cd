import Arguments
import Telemetry

enum RoleLog {
    static func of(_ role: String, _ values: ArgumentValues) -> Logger {
        let console = Console(terminal: Terminal(descriptor: 2))
        return SharedOptions.logger(values, console: console, usual: .info).with([.role: "\(role)"])
    }

    static func quiet(_ values: ArgumentValues) -> Logger {
        SharedOptions.logger(values, console: Console(terminal: Terminal(descriptor: 2)))
    }
}
