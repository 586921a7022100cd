import Arguments
import Manifests
import Storage

/// The default library of a command without one on the command line, in the environment or in the settings file: the
/// nearest library from the current folder upwards.
struct CurrentLibrary: SettingsSource {
    /// The settings file, which takes precedence, if any.
    let file: SettingsFile?

    func given(_ declaration: Declaration, of command: [String]) throws(UsageError) -> [RawArgument] {
        let given = try file?.given(declaration, of: command) ?? []
        guard given.isEmpty, declaration.name == LibraryOption.name, declaration.isRequired else { return given }
        return Self.folder.map { [RawArgument(bytes: Array($0.utf8), location: "the current folder", origin: .file)] }
            ?? []
    }

    /// The library's folder; nil if the current folder is not in a library.
    static var folder: String? {
        guard let current = RealPath.of(Array(".".utf8)) else { return nil }
        var path = String(decoding: current, as: UTF8.self)[...]
        while !path.isEmpty {
            if isLibrary(String(path)) { return String(path) }
            guard let end = path.lastIndex(of: "/") else { return nil }
            path = path[..<end]
        }
        return nil
    }

    private static func isLibrary(_ path: String) -> Bool {
        guard let root = try? Root(path: path) else { return false }
        return [LibraryLayout.database, LibraryLayout.server].contains { name in
            (try? root.factsIfPresent(of: Array(name.utf8))) != nil
        }
    }
}
