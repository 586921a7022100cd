import CommandLineTool

/// The folders for a user's files, by the XDG Base Directory Specification. Nil without a home folder.
enum UserFolder {
    /// Settings: XDG_CONFIG_HOME, or ~/.config.
    static var config: String? { folder("XDG_CONFIG_HOME", "/.config") }
    /// Reproducible files: XDG_CACHE_HOME, or ~/.cache.
    static var cache: String? { folder("XDG_CACHE_HOME", "/.cache") }
    /// XDG_DATA_HOME, or ~/.local/share.
    static var data: String? { folder("XDG_DATA_HOME", "/.local/share") }

    private static func folder(_ variable: String, _ inHome: String) -> String? {
        let given = CommandLineBytes.environment(variable).flatMap { $0.first == UInt8(ascii: "/") ? $0 : nil }
        let home = CommandLineBytes.environment("HOME").flatMap { $0.isEmpty ? nil : $0 + Array(inHome.utf8) }
        return (given ?? home).map { String(decoding: $0, as: UTF8.self) }
    }
}
