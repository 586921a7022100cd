internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Repairs what can be repaired without a loss. It removes only files that have another name, or that will be made
/// again.
struct LibraryRepairer {
    private let store: LibraryStore

    /// Opens the library for writing, and updates the links that an earlier process left undone.
    init(folder: String, lock: LibraryLock) throws {
        store = try LibraryStore(folder: folder, lock: lock)
        _ = try store.links.update([])
    }

    /// Gives a missing object its name back, if `photos/` still shows it.
    ///
    /// - Returns: true if the object is there again.
    func restoreObject(_ files: FileQueries.RenditionFiles) throws -> Bool {
        guard let path = files.shownAt, try store.root.factsIfPresent(of: path.bytes) != nil,
            try store.root.digest(of: path.bytes).digest == files.photo.digest
        else { return false }
        return try store.root.link(path.bytes, at: LibraryLayout.photo(files.key).bytes) == .created
    }

    /// Makes links that are missing, and links that are wrong if the wrong file has another name. A file that has only
    /// this name may be a person's own.
    ///
    /// - Returns: the names that are right now.
    func relink(_ findings: [LibraryVerification.Finding]) throws -> Set<RelativePath> {
        let paths = try findings.filter { finding in
            switch finding.kind {
            case .linkMissing: true
            case .linkWrong: try hasOtherName(finding.file.path)
            default: false
            }
        }.map(\.file.path)
        let updates = paths.isEmpty ? [] : try store.links.update(paths)
        return Set(updates.compactMap { if case .linked(let path) = $0 { path } else { nil } })
    }

    /// Removes a name below `photos/` that no row has, if its file has another name.
    ///
    /// - Returns: true if it is gone.
    func removeUnknownPhoto(_ path: RelativePath) throws -> Bool {
        guard try hasOtherName(path) else { return false }
        return try store.links.update([path]).contains(.removed(path))
    }

    /// Removes the preview of a rendition that was never finished. A worker writes the preview before the photo, and
    /// writes it again with the photo.
    ///
    /// - Returns: true if it is gone.
    func removePreview(_ path: RelativePath) throws -> Bool {
        guard let digest = SHA256Value(stemOf: path) else { return false }
        let key = RenditionKey(digest: digest)
        guard path == LibraryLayout.preview(key),
            try store.root.factsIfPresent(of: LibraryLayout.photo(key).bytes) == nil
        else { return false }
        return try store.root.remove(path.bytes)
    }

    /// Removes temporary files that no writer holds open.
    ///
    /// - Returns: true if any was removed.
    func sweepTemporaries(in folder: RelativePath) throws -> Bool {
        try store.root.sweepTemporaries(below: folder.bytes) > 0
    }

    private func hasOtherName(_ path: RelativePath) throws -> Bool {
        try store.root.factsIfPresent(of: path.bytes).map { $0.links > 1 } ?? false
    }
}
