internal import Glibc

extension Root {
    /// Opens a folder. Durably creates it and its parents if missing.
    public func openFolder(_ path: [UInt8]) throws(StorageError) -> OpenFolder {
        var newFolders = FolderSyncs()
        let folder = try openFolder(path, &newFolders)
        try newFolders.sync()
        return folder
    }

    /// Like `openFolder(_:)`, but the caller makes new folders durable.
    func openFolder(_ path: [UInt8], _ newFolders: inout FolderSyncs) throws(StorageError) -> OpenFolder {
        do throws(StorageError) { return try existingFolder(path, "open") } catch {
            guard error.kind == .notFound else { throw error }
        }
        try createFolders(path, &newFolders)
        return try existingFolder(path, "open")
    }

    func existingFolder(_ path: [UInt8], _ action: String) throws(StorageError) -> OpenFolder {
        OpenFolder(path: path, descriptor: try open(path, action, flags: O_RDONLY | O_DIRECTORY))
    }

    /// Durably creates a folder and its parents; existing ones are kept. Throws `exists` if the name belongs to
    /// something other than a folder.
    public func createFolders(_ path: [UInt8]) throws(StorageError) {
        var newFolders = FolderSyncs()
        try createFolders(path, &newFolders)
        try newFolders.sync()
    }

    /// - Parameter newFolders: collects the parents of new folders.
    private func createFolders(_ path: [UInt8], _ newFolders: inout FolderSyncs) throws(StorageError) {
        if let facts = try factsIfPresent(of: path) {
            if facts.kind == .folder { return }
            throw StorageError(.exists, "create", path)
        }
        if let cut = path.lastIndex(of: UInt8(ascii: "/")) { try createFolders(Array(path[..<cut]), &newFolders) }
        let location = try location(of: path, "create")
        guard unsafe mkdirat(location.folder.number, location.name, 0o777) == 0 || errno == EEXIST else {
            throw location.creationError(errno, "create", path)
        }
        newFolders.add(location.folder)
    }

    /// Calls `body` with each entry, in the file system's order, without keeping all in memory.
    func forEachEntry(
        of path: [UInt8], _ body: (FolderEntry) throws(StorageError) -> Void
    ) throws(StorageError) {
        let folder = try existingFolder(path, "list")
        var reader = try folder.reader()
        while let entry = try reader.next() { try body(Self.withKnownKind(entry, in: folder)) }
    }

    /// Queries the type if the listing omits it.
    private static func withKnownKind(_ entry: FolderEntry, in folder: OpenFolder) -> FolderEntry {
        guard entry.kind == .unknown else { return entry }
        return FolderEntry(name: entry.name, kind: (try? folder.facts(of: entry.name).kind) ?? .other)
    }

    /// Entries sorted bytewise by name.
    public func entries(of path: [UInt8]) throws(StorageError) -> [FolderEntry] {
        var all: [FolderEntry] = []
        try forEachEntry(of: path) { all.append($0) }
        return all.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Whether the root itself has any entries.
    public func hasEntries() throws(StorageError) -> Bool {
        let folder = try existingFolder([], "list")
        var reader = try folder.reader()
        return try reader.next() != nil
    }

    /// Removes a file or a link. Returns false if it did not exist.
    @discardableResult
    public func remove(_ path: [UInt8]) throws(StorageError) -> Bool { try unlink(path, flags: 0) }

    /// Removes an empty folder. Returns false if it did not exist.
    @discardableResult
    public func removeFolder(_ path: [UInt8]) throws(StorageError) -> Bool { try unlink(path, flags: AT_REMOVEDIR) }

    private func unlink(_ path: [UInt8], flags: Int32) throws(StorageError) -> Bool {
        do throws(StorageError) {
            let location = try location(of: path, "remove")
            if unsafe unlinkat(location.folder.number, location.name, flags) == 0 { return true }
            throw StorageError(errno: errno, "remove", path)
        } catch {
            if error.kind == .notFound { return false }
            throw error
        }
    }

    /// Waits until the entries of all these folders survive a power failure. Skips missing folders.
    public func syncFolders(_ paths: some Sequence<[UInt8]>) throws(StorageError) {
        var folders: [OpenFolder] = []
        for path in paths {
            do throws(StorageError) { folders.append(try existingFolder(path, "save")) } catch {
                guard error.kind == .notFound else { throw error }
            }
        }
        try GroupSync.sync(folders)
    }

    /// Waits until a folder's entries survive a power failure.
    public func syncFolder(_ path: [UInt8]) throws(StorageError) {
        try open(path, "save", flags: O_RDONLY | O_DIRECTORY).sync(path)
    }
}
