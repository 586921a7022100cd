package import Coordinator
package import Jobs
package import Storage

package enum SourceRoots {
    /// Registers the roots of the sources, and opens every root of the ledger, because jobs of earlier runs may refer
    /// to any of them. Jobs of a missing root fail with that reason.
    ///
    /// - Returns: the roots, and the folders among the sources.
    package static func open(
        _ sources: [[UInt8]], library: LocalLibrary
    ) async throws -> (roots: Roots, map: RootMap, folders: [SourceFolder]) {
        let known = try await library.ledger.perform { try $0.roots.all() }
        var resolver = SourceResolver(roots: known, library: RealPath.of(Array(library.folder.utf8)))
        let folders = resolver.resolve(sources).folders
        let map = resolver.roots
        try await library.ledger.perform { try $0.roots.register(map) }
        return (open(map, library: library.root), map, folders)
    }

    /// Opens the roots of the library's ledger, without writing.
    package static func existing(library: String) async throws -> Roots {
        let map = try await Ledger.existing(library: library)?.perform { try $0.roots.all() } ?? RootMap()
        return open(map, library: try? Root(path: library))
    }

    private static func open(_ map: RootMap, library: Root?) -> Roots {
        var opened: [String: Root] = [:]
        for root in map.all where root.name != .library {
            opened[root.name.text] = try? Root(path: String(decoding: root.path, as: UTF8.self))
        }
        opened[RootName.library.text] = library
        return Roots(opened)
    }
}

extension RootMap {
    package func absolute(_ file: FileReference) -> [UInt8] {
        (path(of: file.root) ?? Array(file.root.text.utf8)) + [UInt8(ascii: "/")] + file.path.bytes
    }
}
