internal import Digest
internal import Glibc

/// Publishing files together. Missing folders are created.
extension Root {
    /// Durably publishes complete files, in this order. Waits for the disk twice, not twice per file.
    ///
    /// - Returns: for each file its publication, or its error, which does not affect the others.
    /// - Throws: an error that kept all files from becoming durable. Some may already have their names.
    public func publish(_ files: [UnnamedFile]) throws(StorageError) -> [Result<Publication, StorageError>] {
        var batch = PublicationBatch(root: self)
        return try batch.publish(files)
    }
}

/// Publishes several files.
///
/// The steps are those of ``FilePublisher`` after writing the bytes, each for all files before the next: (2) makes
/// files and new folders durable; (3) names the files in order; (4) makes their folders durable.
private struct PublicationBatch {
    private let root: Root
    private var newFolders = FolderSyncs()
    private var openFolders: [[UInt8]: OpenFolder] = [:]

    init(root: Root) { self.root = root }

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

    /// The file's location. Creates a missing folder here, so that this process knows which folders are new.
    private mutating func location(of file: UnnamedFile) -> Result<EntryLocation, StorageError> {
        do throws(StorageError) {
            let name = try EntryLocation.name(file.path, "write")
            return .success(EntryLocation(folder: try folder(of: file.path), name: name))
        } catch {
            return .failure(error)
        }
    }

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
        // Other processes may replace the same file at the same time.
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

    /// The existing file, made durable, if it has the same bytes or is to be kept; nil also if an export moved it away
    /// meanwhile.
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
