internal import Digest
internal import Jobs
internal import Manifests
internal import MetadataHost
internal import PictureFormat
internal import Storage

/// Repairs what can be repaired without a loss. It removes only files that have another name, or that will be made
/// again.
struct LibraryRepairer {
    private let store: LibraryStore
    private let objects: ObjectContentReader
    private let onUnread: (RelativePath, String) -> Void

    /// Opens the library for writing, updates the files that an earlier process left undone, and shows photos again
    /// under names that people's files no longer have.
    ///
    /// - Parameter onUnread: called with each file whose metadata could not be read, and why.
    init(
        folder: String, lock: LibraryLock, metadata: MetadataReader,
        onUnread: @escaping (RelativePath, String) -> Void
    ) throws {
        store = try LibraryStore(folder: folder, lock: lock)
        objects = ObjectContentReader(root: store.root, metadata: metadata)
        self.onUnread = onUnread
        try store.transaction {
            for (path, _) in try store.people.all() where try store.root.found(at: path.bytes) == nil {
                try store.people.remove(path)
                try store.tree.take(path)
            }
        }
        try PhotoRemover(store: store, roots: Roots([:])).finish()
    }

    /// Writes a missing or damaged object again, if `photos/` still shows its bytes.
    ///
    /// - Returns: true if the object is good again.
    func restoreObject(_ files: FileQueries.RenditionFiles) throws -> Bool {
        guard let path = files.shownAt, let found = try store.root.found(at: path.bytes),
            try found.digestIfReadable() == files.photo.digest
        else { return false }
        let object = LibraryLayout.photo(files.key).bytes
        _ = try store.root.publishCopy(
            of: path.bytes, in: store.root, digest: files.photo.digest, at: object, existing: .replace)
        return true
    }

    /// Takes a photo that no row has into the library, by what it says of itself. A render process that dies after a photo
    /// and before its job's manifest leaves it, for example between two frames of a burst.
    ///
    /// - Returns: true if the library has it now.
    /// - Throws: `MetadataReaderError` if no process can be started that reads it.
    func adoptObject(_ path: RelativePath) async throws -> Bool {
        guard let file = ObjectFile(path), let content = try await objects.read([file]).first else { return false }
        if case .unread(let path, let cause) = content { onUnread(path, cause) }
        guard case .rendition(let found) = content else { return false }
        do {
            _ = try store.transaction { try store.merge(found.record, finished: found.modifiedMilliseconds) }
        } catch is MergeRefusal {
            return false
        }
        _ = try store.links.update([])
        return true
    }

    /// Shows photos that are missing or damaged again. Where a person's file stands in a photo's place, the photo gets
    /// another name.
    ///
    /// - Returns: the names that are right now.
    func relink(_ findings: [LibraryVerification.Finding]) throws -> Set<RelativePath> {
        let paths = findings.filter { finding in
            switch finding.kind {
            case .linkMissing, .linkWrong, .viewDamaged: true
            default: false
            }
        }.map(\.file.path)
        let updates = paths.isEmpty ? [] : try store.links.update(paths, always: true)
        return Set(
            updates.compactMap { update in
                switch update {
                case .linked(let path), .occupied(let path): path
                default: nil
                }
            })
    }

    /// Gives photos that are further names of their objects, as earlier versions made them, files of their own.
    func separate(_ paths: [RelativePath]) throws { if !paths.isEmpty { _ = try store.links.update(paths) } }

    /// Removes a file below `photos/` that no row has, if Rawmill put it there and it is unchanged.
    ///
    /// - Returns: true if it is gone.
    func removeUnknownPhoto(_ path: RelativePath) throws -> Bool {
        try store.links.update([path]).contains(.removed(path))
    }

    /// Removes the preview of a rendition that was never finished. A worker writes the preview before the photo, and
    /// writes it again with the photo.
    ///
    /// - Returns: true if it is gone.
    func removePreview(_ path: RelativePath) throws -> Bool {
        guard let digest = SHA256Value(stemOf: path) else { return false }
        let photos = PhotoFormat.allCases.map { LibraryLayout.photo(RenditionKey(digest: digest, format: $0)) }
        guard path == LibraryLayout.preview(digest),
            try photos.allSatisfy({ try store.root.factsIfPresent(of: $0.bytes) == nil })
        else { return false }
        return try store.root.remove(path.bytes)
    }

    /// Removes temporary files that no writer holds open.
    ///
    /// - Returns: true if any was removed.
    func sweepTemporaries(in folder: RelativePath) throws -> Bool {
        try store.root.sweepTemporaries(below: folder.bytes) > 0
    }
}

/// Takes photos that people edited over as their own.
struct EditAdopter {
    private let store: LibraryStore

    /// Opens the library for writing.
    init(folder: String, lock: LibraryLock) throws { store = try LibraryStore(folder: folder, lock: lock) }

    /// Makes the file a resource of its asset. It keeps its name, and no photo gets that.
    ///
    /// - Returns: true.
    func adopt(_ edit: AdoptedEdit) throws -> Bool {
        try store.transaction { try store.people.insert(edit) }
        return true
    }
}
