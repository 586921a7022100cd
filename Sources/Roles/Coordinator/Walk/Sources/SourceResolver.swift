internal import Jobs
internal import Manifests

/// Maps the sources of a command line to folders below registered roots.
public struct SourceResolver: Sendable {
    /// The roots known before, and those added for the sources.
    public private(set) var roots: RootMap
    let library: [UInt8]?

    /// - Parameter library: the library's absolute and real path, if it exists. It becomes the root `library`.
    public init(roots: RootMap, library: [UInt8]?) {
        self.roots = roots
        self.library = library
        if let library { self.roots.insert(RegisteredRoot(name: .library, path: library)) }
    }

    /// Resolves sources in the given order. Files in the same folder share one source folder. Sources within another
    /// source's walk are left out.
    ///
    /// - Parameter sources: paths as given on the command line, relative to the current folder.
    public mutating func resolve(_ sources: [[UInt8]]) -> (folders: [SourceFolder], problems: [WalkProblem]) {
        var problems: [WalkProblem] = []
        var requests = SourceRequests()
        for source in sources {
            let location = SourceLocation(source)
            if case .problem(let problem) = location {
                problems.append(problem)
            } else if let folder = location.folder, isPrivateToLibrary(folder) {
                problems.append(WalkProblem(.insideLibrary, folder))
            } else {
                requests.add(location)
            }
        }
        return (folders(requests), problems)
    }

    private mutating func folders(_ requests: SourceRequests) -> [SourceFolder] {
        let trees = requests.trees
        return requests.order.compactMap { key in
            if key.isTree { return isVisited(key.folder, by: trees) ? nil : sourceFolder(key.folder, .tree) }
            let files = (requests.files[key.folder] ?? []).filter { name in
                NameKind(name: name) != .raw || !isVisited(name, in: key.folder, by: trees)
            }
            return files.isEmpty ? nil : sourceFolder(key.folder, .files(files))
        }
    }

    private mutating func sourceFolder(_ folder: [UInt8], _ extent: SourceFolder.Extent) -> SourceFolder {
        let root = roots.containing(folder) ?? roots.register(folder)
        return SourceFolder(
            root: root.name, relative: Array(folder.below(root.path) ?? []), path: folder, extent: extent)
    }

    /// Whether the walk of a tree further up visits the folder, not through a skipped folder or the library.
    private func isVisited(_ folder: [UInt8], by trees: Set<[UInt8]>) -> Bool {
        var current = folder
        while let (parent, name) = current.parent, !PassedOver.contains(folder: name), current != library {
            if trees.contains(parent) { return true }
            current = parent
        }
        return false
    }

    private func isVisited(_ name: [UInt8], in folder: [UInt8], by trees: Set<[UInt8]>) -> Bool {
        !PassedOver.contains(file: name) && (trees.contains(folder) || isVisited(folder, by: trees))
    }

    /// Whether the folder is in the library but not among its photos.
    private func isPrivateToLibrary(_ folder: [UInt8]) -> Bool {
        guard let library, let below = folder.below(library) else { return false }
        return below.split(separator: .slash).first.map { !$0.elementsEqual(LibraryLayout.photos.utf8) } ?? true
    }
}

private struct SourceRequests {
    struct Key: Hashable {
        let folder: [UInt8]
        let isTree: Bool
    }

    private(set) var order: [Key] = []
    private(set) var trees: Set<[UInt8]> = []
    private(set) var files: [[UInt8]: Set<[UInt8]>] = [:]

    mutating func add(_ location: SourceLocation) {
        switch location {
        case .tree(let path):
            if trees.insert(path).inserted { order.append(Key(folder: path, isTree: true)) }
        case .file(let folder, let name):
            if files[folder] == nil { order.append(Key(folder: folder, isTree: false)) }
            files[folder, default: []].insert(name)
        case .problem: break
        }
    }
}
