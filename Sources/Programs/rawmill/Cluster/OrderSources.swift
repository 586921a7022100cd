import Arguments
import CommandLineTool
import Jobs
import Storage
import Telemetry

/// Resolves the sources of `rawmill submit` to places in roots.
struct OrderSources {
    private struct Folder {
        let name: RootName
        /// Absolute, with links resolved.
        let path: [UInt8]
    }

    private let names: Set<RootName>
    /// The innermost first, if roots are nested.
    private let folders: [Folder]
    private let command: [String]

    init(roots: [RootName: String], command: [String]) {
        names = Set(roots.keys)
        folders = roots.map { name, path in Folder(name: name, path: RealPath.of(Array(path.utf8)) ?? Array(path.utf8))
        }
        .sorted { ($1.path.count, $0.name) < ($0.path.count, $1.name) }
        self.command = command
    }

    /// Accepts ROOT/PATH, or a path on this machine below one of the roots. The coordinator reports an unknown root or
    /// a missing file. Throws `UsageError` for a path in none of the roots.
    func location(of argument: [UInt8]) throws(UsageError) -> ConversionOrder.Location {
        let slash = UInt8(ascii: "/")
        let parts = argument.split(separator: slash, maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.flatMap { RootName(String(decoding: $0, as: UTF8.self)) }
        if argument.first != slash, let name, names.isEmpty || names.contains(name) {
            return try place(name, parts.count > 1 ? Array(parts[1]) : [], argument)
        }
        // A missing file has no real path; the coordinator names it.
        if let (root, below) = root(of: RealPath.of(argument) ?? argument) { return try place(root, below, argument) }
        let known = names.sorted().map(\.text).joined(separator: ", ")
        throw UsageError(
            "\(TerminalText.escape(argument)) is in none of the roots of this command (\(known.isEmpty ? "none" : known)). Write "
                + "ROOT/PATH, or give --root NAME=PATH.", command: command)
    }

    private func root(of path: [UInt8]) -> (RootName, [UInt8])? {
        let slash = UInt8(ascii: "/")
        for folder in folders where path.starts(with: folder.path) {
            let rest = path[folder.path.count...]
            guard rest.isEmpty || rest.first == slash || folder.path == [slash] else { continue }
            return (folder.name, Array(rest.drop { $0 == slash }))
        }
        return nil
    }

    private func place(
        _ root: RootName, _ path: [UInt8], _ argument: [UInt8]
    ) throws(UsageError) -> ConversionOrder.Location {
        var path = path
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        if path.isEmpty { return ConversionOrder.Location(root: root, path: nil) }
        guard let relative = RelativePath(bytes: path) else {
            throw UsageError(
                "\(TerminalText.escape(argument)) is not a path in a root: it has an empty, . or .. part.",
                command: command)
        }
        return ConversionOrder.Location(root: root, path: relative)
    }
}
