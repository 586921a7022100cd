internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
internal import PictureFormat
internal import Selection
internal import Storage

/// Makes lossless repairs: removes only files that have another name or will be made again.
struct LibraryRepairer {
    private let store: LibraryStore
    private let objects: ObjectContentReader
    private let onUnread: (RelativePath, String) -> Void

    /// Opens the library for writing, finishes an earlier process's updates, and shows photos under names that users'
    /// files no longer have.
    ///
    /// - Parameter onUnread: called with each file whose metadata could not be read, and the cause.
    init(
        folder: String, lock: LibraryLock, metadata: MetadataReader,
        onUnread: @escaping (RelativePath, String) -> Void
    ) throws {
        store = try LibraryStore(folder: folder, lock: lock)
        objects = ObjectContentReader(root: store.root, metadata: metadata)
        self.onUnread = onUnread
        try store.transaction {
            for (path, _) in try store.tables.people.all() where try store.root.found(at: path.bytes) == nil {
                try store.tables.people.remove(path)
                try store.tree.take(path)
            }
        }
        try PhotoRemover(store: store, roots: Roots([:])).finish()
    }

    /// Restores a missing or damaged object if `photos/` still shows its bytes. Returns true if the object is good
    /// again.
    func restoreObject(_ files: FileQueries.RenditionFiles) throws -> Bool {
        guard let path = files.shownAt, let found = try store.root.found(at: path.bytes),
            try found.digestIfReadable() == files.photo.digest
        else { return false }
        let object = LibraryLayout.photo(files.key).bytes
        _ = try store.root.publishCopy(
            of: path.bytes, in: store.root, digest: files.photo.digest, at: object, existing: .replace)
        return true
    }

    /// Adds a photo without a row to the library, according to its XMP. A render process that dies between a photo and
    /// its job's manifest leaves such a photo, for example between two frames of a burst.
    ///
    /// - Returns: true if the library has it now.
    /// - Throws: `MetadataReaderError` if no process can be started.
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

    /// Shows missing or damaged photos again. If a user's file has a photo's name, the photo gets another one. Returns
    /// the names with correct content.
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

    /// Replaces hard links to objects, from version 0.1.0, with separate files.
    func separate(_ paths: [RelativePath]) throws { if !paths.isEmpty { _ = try store.links.update(paths) } }

    /// Removes Rawmill's unchanged file in `photos/` without a row. Returns true if it was removed.
    func removeUnknownPhoto(_ path: RelativePath) throws -> Bool {
        try store.links.update([path]).contains(.removed(path))
    }

    /// Removes the preview of an unfinished rendition. A worker writes it before the photo, and again with the photo.
    /// Returns true if it was removed.
    func removePreview(_ path: RelativePath) throws -> Bool {
        guard let digest = SHA256Value(stemOf: path) else { return false }
        let photos = PhotoFormat.allCases.map { LibraryLayout.photo(RenditionKey(digest: digest, format: $0)) }
        guard path == LibraryLayout.preview(digest),
            try photos.allSatisfy({ try store.root.factsIfPresent(of: $0.bytes) == nil })
        else { return false }
        return try store.root.remove(path.bytes)
    }

    /// Removes temporary files that no writer holds open. Returns true if any was removed.
    func sweepTemporaries(in folder: RelativePath) throws -> Bool {
        try store.root.sweepTemporaries(below: folder.bytes) > 0
    }
}

struct EditAdopter {
    private let store: LibraryStore

    init(folder: String, lock: LibraryLock) throws { store = try LibraryStore(folder: folder, lock: lock) }

    /// Makes the file a resource of its asset. It keeps its name, which no photo gets. Returns true.
    func adopt(_ edit: AdoptedEdit) throws -> Bool {
        try store.transaction { try store.tables.people.insert(edit) }
        return true
    }
}
