import Arguments
import CommandLineTool
import Telemetry

enum SharedOptions {
    static let logLevel: Parameter<EnumArgument<Level>?> = .optional(
        "log-level", "LEVEL", environment: "RAWMILL_LOG",
        help: "Log level on standard error. (default: warning; info for a cluster's roles)")
    static let logFormat: Parameter<EnumArgument<LineFormat>> = .option(
        "log-format", "FORMAT", default: EnumArgument(.logfmt), environment: "RAWMILL_LOG_FORMAT",
        help: "Format of log lines.")

    static let all: [any AnyParameter] = [SettingsOption.parameter, logLevel, logFormat]

    /// The log of this command. It shares the screen with the progress line.
    ///
    /// - Parameter usual: the level without `--log-level`.
    static func logger(_ values: ArgumentValues, console: Console, usual: Level = .warning) -> Logger {
        Logger(level: values[logLevel]?.value ?? usual, format: values[logFormat].value, sink: console)
    }
}
