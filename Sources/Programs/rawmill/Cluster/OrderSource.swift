import Arguments
import CommandLineTool
import Jobs
import Storage
import Telemetry

/// Finds the place on shared storage that an argument of `rawmill submit` names.
enum OrderSource {
    /// Takes ROOT/PATH, or a path on this machine that lies below one of the roots. Whether the coordinator knows the root, the
    /// coordinator itself reports.
    ///
    /// - Parameter roots: path by name, as `--root` gives them.
    /// - Throws: `UsageError` for a path that is in none of the roots.
    static func of(
        _ argument: [UInt8], roots: [RootName: String], command: [String]
    ) throws(UsageError) -> ConversionOrder.Location {
        let slash = UInt8(ascii: "/")
        let parts = argument.split(separator: slash, maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.flatMap { RootName(String(decoding: $0, as: UTF8.self)) }
        if argument.first != slash, let name, roots.isEmpty || roots[name] != nil {
            return try place(name, parts.count > 1 ? Array(parts[1]) : [], argument, command)
        }
        if let real = RealPath.of(argument), let (root, below) = root(of: real, roots) {
            return try place(root, below, argument, command)
        }
        let known = roots.keys.sorted().map(\.text).joined(separator: ", ")
        throw UsageError(
            "\(TerminalText.escape(argument)) is in none of the roots given here (\(known.isEmpty ? "none" : known)). Write "
                + "ROOT/PATH, or give --root NAME=PATH.", command: command)
    }

    /// The root that the path is in; the innermost, where roots lie in each other.
    private static func root(of path: [UInt8], _ roots: [RootName: String]) -> (RootName, [UInt8])? {
        let slash = UInt8(ascii: "/")
        var best: (name: RootName, length: Int)?
        for (name, folder) in roots {
            guard let root = RealPath.of(Array(folder.utf8)), path.starts(with: root),
                path.count == root.count || path[root.count] == slash || root == [slash]
            else { continue }
            if root.count > best?.length ?? -1 { best = (name, root.count) }
        }
        return best.map { ($0.name, Array(path[$0.length...].drop { $0 == slash })) }
    }

    private static func place(
        _ root: RootName, _ path: [UInt8], _ argument: [UInt8], _ command: [String]
    ) throws(UsageError) -> ConversionOrder.Location {
        var path = path
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        if path.isEmpty { return ConversionOrder.Location(root: root, path: nil) }
        guard let relative = RelativePath(bytes: path) else {
            throw UsageError(
                "\(TerminalText.escape(argument)) is not a path in a root: it has an empty part, or . or .. in it.",
                command: command)
        }
        return ConversionOrder.Location(root: root, path: relative)
    }
}
