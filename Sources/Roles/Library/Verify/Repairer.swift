internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// Puts right what can be without a loss: nothing goes but what has another name, or is made again by itself.
final class Repairer {
    private let store: LibraryStore

    /// Finishes what an earlier run left undone, to begin with.
    init(folder: String, lock: LibraryLock) throws {
        store = try LibraryStore(folder: folder, lock: lock)
        _ = try store.settleAgain([])
    }

    /// An object that is gone and still stands in `photos/` gets its name back.
    func bringBack(_ files: LibraryStore.RenditionFiles) throws -> Bool {
        guard let path = files.shownAt, try store.root.factsIfPresent(of: path.bytes) != nil,
            try store.root.identity(of: path.bytes).digest == files.photo.digest
        else { return false }
        return try store.root.link(path.bytes, at: LibraryLayout.photo(files.key).bytes) == .created
    }

    /// Links what is missing, and what is wrong where the wrong file has another name. A file that stands only here
    /// may be a person's own.
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
        let settled = paths.isEmpty ? [] : try store.settleAgain(paths)
        return Set(settled.compactMap { if case .linked(let path) = $0 { path } else { nil } })
    }

    /// Removes a name below `photos/` that no row has, where its file has another one.
    func removeUnknown(_ path: RelativePath) throws -> Bool {
        guard try hasOtherName(path) else { return false }
        return try store.settleAgain([path]).contains(.removed(path))
    }

    /// Removes the preview of a rendition that never came to be: it is made before the photo, and made again with it.
    func removePreview(_ path: RelativePath) throws -> Bool {
        let stem = path.name.prefix { $0 != UInt8(ascii: ".") }
        guard let digest = SHA256Value(hex: String(decoding: stem, as: UTF8.self)) else { return false }
        let key = RenditionKey(digest: digest)
        guard path == LibraryLayout.preview(key),
            try store.root.factsIfPresent(of: LibraryLayout.photo(key).bytes) == nil
        else { return false }
        return try store.root.remove(path.bytes)
    }

    /// Removes what no writer holds any more.
    func sweep(_ folder: RelativePath) throws -> Bool { try store.root.sweepTemporaries(below: folder.bytes) > 0 }

    private func hasOtherName(_ path: RelativePath) throws -> Bool {
        try store.root.factsIfPresent(of: path.bytes).map { $0.links > 1 } ?? false
    }
}
