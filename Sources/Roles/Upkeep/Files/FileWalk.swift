internal import Jobs
internal import Storage

/// Lists the files below a folder in byte order of their names. Memory holds one folder's names for each level.
struct FileWalk {
    private let root: Root
    private var folders: [RelativePath]
    private var files: ArraySlice<RelativePath> = []

    init(root: Root, below path: RelativePath) {
        self.root = root
        folders = [path]
    }

    /// At most `limit` further files; empty at the end. A missing folder is empty. Symbolic links count as files.
    mutating func next(_ limit: Int) throws -> [RelativePath] {
        var page: [RelativePath] = []
        while page.count < limit {
            if files.isEmpty, try !openNextFolder() { break }
            let part = files.prefix(limit - page.count)
            page += part
            files = files.dropFirst(part.count)
        }
        return page
    }

    private mutating func openNextFolder() throws -> Bool {
        guard let folder = folders.popLast() else { return false }
        // A folder removed after it was listed has no files.
        guard try root.factsIfPresent(of: folder.bytes)?.kind == .folder else { return true }
        let entries = try root.entries(of: folder.bytes)
        folders += entries.filter { $0.kind == .folder }.compactMap { folder.appending($0.name) }.reversed()
        files = entries.filter { $0.kind != .folder }.compactMap { folder.appending($0.name) }[...]
        return true
    }
}
