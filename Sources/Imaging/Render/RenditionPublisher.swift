internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Storage

/// Publishes a rendition's files in the library: each is complete and durable under its final name.
struct RenditionPublisher {
    private let library: Root
    private let roots: Roots
    private let toolkit: XMPToolkit

    init(library: Root, roots: Roots, toolkit: XMPToolkit) {
        self.library = library
        self.roots = roots
        self.toolkit = toolkit
    }

    /// Publishes preview and photo together: the preview gets its name first, because the photo is what the library waits
    /// for.
    ///
    /// The preview has no EXIF and no XMP: its bytes follow from the key alone, whichever worker renders it. The photo stays
    /// where its name holds one from a copy of the same RAW.
    ///
    /// - Parameters:
    ///   - preview: its file.
    ///   - previewSize: its width and height.
    ///   - bytes: the photo's file.
    ///   - draft: names both.
    ///   - identity: what the photo's file says of itself.
    func publish(
        preview: UnsafeRawBufferPointer, previewSize: PixelSize, photo bytes: UnsafeRawBufferPointer,
        _ draft: RenditionDraft, _ identity: RenditionIdentity
    ) throws(Failure) -> (preview: ProducedFile, photo: PublishedPhoto) {
        let (previewPath, path) = (LibraryLayout.preview(draft.key), LibraryLayout.photo(draft.key))
        let publications = try catchingLibraryErrors { () throws(StorageError) in
            try unsafe library.publish([
                FileToPublish(preview, at: previewPath.bytes, existing: .replace),
                FileToPublish(bytes, at: path.bytes, existing: .keep),
            ])
        }
        let previewFile = ProducedFile(
            path: previewPath, digest: publications[0].digest, sizeBytes: publications[0].sizeBytes, size: previewSize)
        return (previewFile, try unsafe settle(publications[1], of: bytes, at: path, draft, identity))
    }

    /// Decides between the photo and another file that has its name.
    private func settle(
        _ publication: Publication, of bytes: UnsafeRawBufferPointer, at path: RelativePath, _ draft: RenditionDraft,
        _ identity: RenditionIdentity
    ) throws(Failure) -> PublishedPhoto {
        var publication = publication
        var current = identity
        if publication.outcome == .kept {
            if let existing = existingIdentity(path), keeps(existing, insteadOf: identity) {
                current = existing
            } else {
                publication = try unsafe publish(bytes, at: path, .replace)
            }
        }
        let file = ProducedFile(
            path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: draft.size)
        return PublishedPhoto(file: file, identity: current)
    }

    /// `--originals copy` and `move`: the RAW's bytes, verified by their hash, inside the library. The cataloguer gives
    /// them their name in the photo tree, and removes a moved source, after the rendition is in the library.
    ///
    /// - Returns: nil where the job leaves the RAW alone.
    func publishOriginal(_ job: Job, asset: SHA256Value) throws(Failure) -> ProducedFile? {
        let raw = job.source.raw
        guard job.originals != .reference, let root = roots[raw.file.root.text] else { return nil }
        let name = raw.file.path.name
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let fileExtension = dot.map { String(decoding: name[($0 + 1)...], as: UTF8.self) } ?? ""
        let path = LibraryLayout.original(asset, fileExtension: fileExtension)
        let publication = try catchingLibraryErrors { () throws(StorageError) in
            try library.publishCopy(
                of: raw.file.path.bytes, in: root, digest: asset, at: path.bytes, existing: .replace)
        }
        return ProducedFile(path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: nil)
    }

    private func publish(
        _ bytes: UnsafeRawBufferPointer, at path: RelativePath, _ existing: ExistingFile
    ) throws(Failure) -> Publication {
        try catchingLibraryErrors { () throws(StorageError) in
            try unsafe library.publish(bytes, at: path.bytes, existing: existing)
        }
    }

    /// Nil for a file that does not say, which is then replaced.
    private func existingIdentity(_ path: RelativePath) -> RenditionIdentity? {
        guard let prefix = try? library.prefix(of: path.bytes, byteCount: JPEGMetadata.prefixByteCount) else {
            return nil
        }
        return try? toolkit.identity(fromJPEG: prefix)
    }

    /// Decides between two files of one key whose bytes differ: their metadata does, or the RAW's location.
    ///
    /// The existing file stays if it names a copy of the RAW elsewhere, because two copies are one asset and shown once.
    /// A RAW that was moved, or whose sidecar changed, gets a file that says so.
    private func keeps(_ existing: RenditionIdentity, insteadOf ours: RenditionIdentity) -> Bool {
        let other = existing.original
        if other.root == ours.original.root, other.path == ours.original.path { return false }
        guard let root = roots[other.root], let facts = try? root.facts(of: other.path) else { return false }
        return facts.sizeBytes == other.sizeBytes
    }
}

/// The photo that has its final name now, and what it says of itself.
struct PublishedPhoto {
    let file: ProducedFile
    let identity: RenditionIdentity
}
