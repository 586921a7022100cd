import Coordinator
import Jobs
import Storage

/// The folders that files are named relative to, opened for those who read and write below them.
enum SourceRoots {
    /// Registers what the sources need, and opens every root there is: jobs of earlier runs may name any of them. One
    /// that is gone is left out; its jobs then say so.
    static func open(_ sources: [[UInt8]], home: LibraryHome) async throws -> (roots: Roots, table: RootTable) {
        let known = try await home.ledger.perform { try $0.roots() }
        var resolver = SourceResolver(roots: known, library: RealPath.of(Array(home.folder.utf8)))
        _ = resolver.resolve(sources)
        let table = resolver.roots
        try await home.ledger.perform { try $0.register(table) }
        var opened = [RootName.library.text: home.root]
        for root in table.all where root.name != .library {
            opened[root.name.text] = try? Root(path: String(decoding: root.path, as: UTF8.self))
        }
        return (Roots(opened), table)
    }
}

extension RootTable {
    /// A file's absolute path, for people and programs outside.
    func absolute(_ file: FileReference) -> [UInt8] {
        (path(of: file.root) ?? Array("\(file.root):".utf8)) + [UInt8(ascii: "/")] + file.path.bytes
    }
}
