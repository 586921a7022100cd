import Arguments
import Settings
import Telemetry

/// `--settings FILE`, which every command takes.
enum SettingsOption {
    static let parameter: Parameter<PathArgument?> = .optional(
        "settings", "FILE", environment: "RAWMILL_SETTINGS", completion: .files,
        help: "Settings file (YAML). The command line and the environment take precedence.")

    /// Opens the settings file; nil where none is given.
    static func open(_ value: (String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)? {
        guard let path = value(parameter.declaration.name) else { return nil }
        let bytes = try InputFile.read(path, for: "--settings", limitBytes: UInt64(YAMLFile.maxBytes))
        do throws(SettingsError) {
            return try SettingsFile(bytes, file: TerminalText.escape(path), program: RawmillCommands.program)
        } catch {
            throw UsageError("\(error).")
        }
    }
}
