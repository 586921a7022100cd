internal import Digest
internal import Glibc

/// Publishing files together. Missing folders are created.
extension Root {
    /// Gives files their names, whole and durable, in this order.
    ///
    /// The disk is waited for twice, not twice for each file.
    ///
    /// - Returns: for each file what became of it, or why it has no name. One that cannot have its name does not keep the
    ///   others from having theirs.
    /// - Throws: what kept all of them from being made durable. Some may have their names then.
    public func publish(_ files: [UnnamedFile]) throws(StorageError) -> [Result<Publication, StorageError>] {
        var batch = PublicationBatch(root: self)
        return try batch.publish(files)
    }
}

/// Puts several files under their final names.
///
/// The steps are those of ``FilePublisher`` after the first, which wrote the bytes, each for all files before the next: (2) the
/// bytes are made durable, and so are new folders; (3) the files get their names, in their order; (4) their folders are made
/// durable.
private struct PublicationBatch {
    private let root: Root
    /// Folders that hold new ones.
    private var newFolders = FolderSyncs()
    private var openFolders: [[UInt8]: OpenFolder] = [:]

    init(root: Root) { self.root = root }

    /// Steps 2 to 4.
    mutating func publish(_ files: [UnnamedFile]) throws(StorageError) -> [Result<Publication, StorageError>] {
        var locations: [Result<EntryLocation, StorageError>] = []
        for file in files { locations.append(location(of: file)) }
        try GroupSync.sync(files + (newFolders.folders as [any Syncable]))
        var changedFolders = FolderSyncs()
        var results: [Result<Publication, StorageError>] = []
        for (file, location) in zip(files, locations) {
            results.append(name(file, location, &changedFolders))
        }
        try changedFolders.sync()
        return results
    }

    /// Where a file gets its name. Its folder is made, if it is missing: the process that names the file knows then which
    /// folders are new.
    private mutating func location(of file: UnnamedFile) -> Result<EntryLocation, StorageError> {
        do throws(StorageError) {
            let name = try EntryLocation.name(file.path, "write")
            return .success(EntryLocation(folder: try folder(of: file.path), name: name))
        } catch {
            return .failure(error)
        }
    }

    /// Each folder is opened once.
    private mutating func folder(of path: [UInt8]) throws(StorageError) -> OpenFolder {
        let path = Root.folder(of: path)
        if let open = openFolders[path] { return open }
        let opened = try root.openFolder(path, &newFolders)
        openFolders[path] = opened
        return opened
    }

    private func name(
        _ file: UnnamedFile, _ location: Result<EntryLocation, StorageError>, _ changedFolders: inout FolderSyncs
    ) -> Result<Publication, StorageError> {
        do throws(StorageError) {
            let location = try location.get()
            let publication = try name(file, location)
            if publication.outcome != .kept { changedFolders.add(location.folder) }
            return .success(publication)
        } catch {
            return .failure(error)
        }
    }

    private func name(_ file: UnnamedFile, _ location: EntryLocation) throws(StorageError) -> Publication {
        // Others may replace the same file at the same time.
        for _ in 0..<64 {
            if try file.blank.pending.takeName(of: location, file.path) { return publication(of: file, .created) }
            if let found = try acceptableFile(file) { return found }
            if try file.blank.pending.replaceName(of: location, file.path) { return publication(of: file, .replaced) }
        }
        throw StorageError(errno: EBUSY, "replace", file.path)
    }

    private func publication(of file: UnnamedFile, _ outcome: Publication.Outcome) -> Publication {
        Publication(outcome: outcome, digest: file.digest, sizeBytes: file.sizeBytes)
    }

    /// The file that has the name, made durable, if it has the same bytes or is to be kept. An export may move it away meanwhile:
    /// then nothing has the name.
    private func acceptableFile(_ file: UnnamedFile) throws(StorageError) -> Publication? {
        do throws(StorageError) { return try durableFile(like: file) } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
    }

    private func durableFile(like file: UnnamedFile) throws(StorageError) -> Publication? {
        guard try root.factsIfPresent(of: file.path) != nil else { return nil }
        let found = try root.digest(of: file.path)
        let isSame = found.digest == file.digest
        guard isSame || file.existing == .keep else { return nil }
        try root.open(file.path, "save", flags: O_RDONLY).sync(file.path)
        try root.syncFolder(Root.folder(of: file.path))
        return Publication(
            outcome: isSame ? .identical : .kept, digest: found.digest, sizeBytes: found.facts.sizeBytes)
    }
}
