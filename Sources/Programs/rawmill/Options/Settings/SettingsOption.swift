import Arguments
import Settings
import Storage
import Telemetry

/// `--settings FILE`, which every command takes.
enum SettingsOption {
    static let parameter: Parameter<PathArgument?> = .optional(
        "settings", "FILE", environment: "RAWMILL_SETTINGS", completion: .files,
        help: """
            Settings file (YAML). The command line and the environment take precedence. (default: \
            ~/.config/rawmill/rawmill.yaml, if it exists)
            """)

    /// Opens the settings file, and adds the library of the current folder behind it.
    static func open(
        _ value: (String) -> [UInt8]?, for program: Program
    ) throws(UsageError) -> (any SettingsSource)? {
        guard let path = value(parameter.declaration.name) ?? usersFile else { return CurrentLibrary(file: nil) }
        let bytes = try InputFile.read(path, for: "--settings", limitBytes: UInt64(YAMLFile.maxBytes))
        do throws(SettingsError) {
            return CurrentLibrary(
                file: try SettingsFile(bytes, file: TerminalText.escape(path), program: program))
        } catch {
            throw UsageError("\(error).")
        }
    }

    private static var usersFile: [UInt8]? {
        guard let folder = UserFolder.config.flatMap({ try? Root(path: "\($0)/rawmill") }) else { return nil }
        let name = "rawmill.yaml"
        guard (try? folder.factsIfPresent(of: Array(name.utf8))) != nil else { return nil }
        return Array("\(folder.path)/\(name)".utf8)
    }
}
