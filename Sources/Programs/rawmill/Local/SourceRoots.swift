import CommandLineTool
import Coordinator
import Jobs
import Storage

/// The folders that files are named relative to, opened for those who read and write below them.
enum SourceRoots {
    /// Registers what the sources need, and opens every root there is: jobs of earlier runs may name any of them. One
    /// that is gone is left out; its jobs then say so.
    static func open(_ sources: [[UInt8]], home: LocalLibrary) async throws -> (roots: Roots, table: RootMap) {
        let known = try await home.ledger.perform { try $0.roots() }
        var resolver = SourceResolver(roots: known, library: RealPath.of(Array(home.folder.utf8)))
        _ = resolver.resolve(sources)
        let table = resolver.roots
        try await home.ledger.perform { try $0.register(table) }
        return (opened(table, library: home.root), table)
    }

    /// The roots that the library's ledger knows, without touching it.
    static func existing(library: String) async throws -> Roots {
        let table = try await Ledger.existing(library: library)?.perform { try $0.roots() } ?? RootMap()
        return opened(table, library: try? Root(path: library))
    }

    private static func opened(_ table: RootMap, library: Root?) -> Roots {
        var opened: [String: Root] = [:]
        for root in table.all where root.name != .library {
            opened[root.name.text] = try? Root(path: String(decoding: root.path, as: UTF8.self))
        }
        opened[RootName.library.text] = library
        return Roots(opened)
    }
}

extension RootMap {
    /// A file's absolute path, for people and programs outside.
    func absolute(_ file: FileReference) -> [UInt8] {
        (path(of: file.root) ?? Array("\(file.root):".utf8)) + [UInt8(ascii: "/")] + file.path.bytes
    }
}
