import Arguments
import Telemetry

/// Options that every command takes.
enum SharedOptions {
    static let logLevel: Parameter<Choice<Level>> = .option(
        "log-level", "LEVEL", default: Choice(.warning), environment: "RAWMILL_LOG",
        help: "How much is logged to standard error.")
    static let logFormat: Parameter<Choice<LineFormat>> = .option(
        "log-format", "FORMAT", default: Choice(.logfmt), environment: "RAWMILL_LOG_FORMAT",
        help: "How log lines are written.")

    static let all: [any AnyParameter] = [logLevel, logFormat]

    /// The log of this call, on the screen it shares with the progress line.
    static func logger(_ values: Values, console: Console) -> Logger {
        Logger(level: values[logLevel].value, format: values[logFormat].value, sink: console)
    }
}
