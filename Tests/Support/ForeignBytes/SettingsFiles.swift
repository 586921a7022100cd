import Settings

/// Settings in YAML.
struct SettingsFiles: ForeignReader {
    let name = "settings"

    func read(_ bytes: [UInt8]) throws { _ = try YAMLFile.read(bytes, file: "rawmill.yaml") }
}
