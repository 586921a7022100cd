import Arguments
import Settings
import Telemetry

/// `--settings FILE`, which every command takes.
enum SettingsOption {
    static let parameter: Parameter<PathArgument?> = .optional(
        "settings", "FILE", environment: "RAWMILL_SETTINGS", completion: .files,
        help: "Settings in YAML, for what is given neither here nor in the environment.")

    /// Opens the file a command line asks for; nil where it asks for none.
    static func open(_ value: (String) -> [UInt8]?) throws(UsageError) -> (any SettingsSource)? {
        guard let path = value(parameter.declaration.name) else { return nil }
        let bytes = try InputFile.read(path, for: "--settings", limitBytes: UInt64(YAMLFile.largestBytes))
        do throws(SettingsError) {
            return try SettingsFile(bytes, file: Printable.text(path), program: RawmillCommands.program)
        } catch {
            throw UsageError("\(error).")
        }
    }
}
