import Arguments
import CommandLineTool
import Jobs
import Telemetry

/// What a word of the command line means on shared storage.
enum OrderSource {
    /// A path below a root of this machine is that place. Else the word is ROOT/PATH; whether the coordinator knows the
    /// root, it says itself.
    static func of(
        _ word: [UInt8], roots: [RootName: String], command: [String]
    ) throws(UsageError) -> ConversionOrder.Place {
        let slash = UInt8(ascii: "/")
        let parts = word.split(separator: slash, maxSplits: 1, omittingEmptySubsequences: false)
        let name = parts.first.flatMap { RootName(String(decoding: $0, as: UTF8.self)) }
        if word.first != slash, let name, roots.isEmpty || roots[name] != nil {
            return try place(name, parts.count > 1 ? Array(parts[1]) : [], word, command)
        }
        if let real = RealPath.of(word), let (root, below) = root(of: real, roots) {
            return try place(root, below, word, command)
        }
        let known = roots.keys.sorted().map(\.text).joined(separator: ", ")
        throw UsageError(
            "\(Printable.text(word)) is in none of the roots given here (\(known.isEmpty ? "none" : known)). Write "
                + "ROOT/PATH, or give --root NAME=PATH.", command: command)
    }

    /// The root with the longest path.
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
        _ root: RootName, _ path: [UInt8], _ word: [UInt8], _ command: [String]
    ) throws(UsageError) -> ConversionOrder.Place {
        var path = path
        while path.last == UInt8(ascii: "/") { path.removeLast() }
        if path.isEmpty { return ConversionOrder.Place(root: root, path: nil) }
        guard let relative = RelativePath(bytes: path) else {
            throw UsageError(
                "\(Printable.text(word)) is no place in a root: no empty part, and no . or .., can stand in it.",
                command: command)
        }
        return ConversionOrder.Place(root: root, path: relative)
    }
}
