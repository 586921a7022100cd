internal import Jobs
internal import Manifests

/// Turns a command line's sources into areas below registered roots.
public struct SourceResolver: Sendable {
    /// The roots there were, and those that the sources needed.
    public private(set) var roots: RootMap
    private let library: [UInt8]?

    /// - Parameter library: the library's absolute and real path, where it exists: it is the root `library`.
    public init(roots: RootMap, library: [UInt8]?) {
        self.roots = roots
        self.library = library
        if let library { self.roots.insert(RegisteredRoot(name: .library, path: library)) }
    }

    /// Each source becomes part of one area, in the order given; files of one folder share theirs. What the walk of
    /// another source comes to is not visited twice.
    ///
    /// - Parameter sources: paths as the command line gives them, relative to the current folder.
    public mutating func resolve(_ sources: [[UInt8]]) -> (areas: [SourceFolder], problems: [WalkProblem]) {
        var problems: [WalkProblem] = []
        var wanted = Wanted()
        for source in sources {
            let place = SourcePlace(source)
            if case .problem(let problem) = place {
                problems.append(problem)
            } else if let folder = place.folder, isLibrarysOwn(folder) {
                problems.append(WalkProblem(.insideLibrary, folder))
            } else {
                wanted.add(place)
            }
        }
        return (areas(wanted), problems)
    }

    private mutating func areas(_ wanted: Wanted) -> [SourceFolder] {
        let trees = wanted.trees
        return wanted.order.compactMap { key in
            if key.isTree { return isVisited(key.folder, by: trees) ? nil : area(key.folder, .tree) }
            let files = (wanted.files[key.folder] ?? []).filter { name in
                NameKind(name: name) != .raw || !isVisited(key.folder.child(name), by: trees)
            }
            return files.isEmpty ? nil : area(key.folder, .files(files))
        }
    }

    private mutating func area(_ folder: [UInt8], _ extent: SourceFolder.Extent) -> SourceFolder {
        let root = roots.containing(folder) ?? roots.register(folder)
        return SourceFolder(
            root: root.name, relative: Array(folder.below(root.path) ?? []), path: folder, extent: extent)
    }

    /// True where the walk of a tree further up comes to the path: not through a hidden folder or into the library.
    private func isVisited(_ path: [UInt8], by trees: Set<[UInt8]>) -> Bool {
        var place = path
        while let (folder, name) = place.parent, name.first != .dot, place != library {
            if trees.contains(folder) { return true }
            place = folder
        }
        return false
    }

    /// Of the library's folder only the photos are a source.
    private func isLibrarysOwn(_ folder: [UInt8]) -> Bool {
        guard let library, let below = folder.below(library) else { return false }
        return below.split(separator: .slash).first.map { !$0.elementsEqual(LibraryLayout.photos.utf8) } ?? true
    }
}

/// Sources, sorted out, in the order they were given.
private struct Wanted {
    struct Key: Hashable {
        let folder: [UInt8]
        let isTree: Bool
    }

    private(set) var order: [Key] = []
    private(set) var trees: Set<[UInt8]> = []
    private(set) var files: [[UInt8]: Set<[UInt8]>] = [:]

    mutating func add(_ place: SourcePlace) {
        switch place {
        case .tree(let path):
            if trees.insert(path).inserted { order.append(Key(folder: path, isTree: true)) }
        case .file(let folder, let name):
            if files[folder] == nil { order.append(Key(folder: folder, isTree: false)) }
            files[folder, default: []].insert(name)
        case .problem: break
        }
    }
}
