internal import Develop
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import Storage

/// A photo that stands under its final name, and what it says of itself.
struct PublishedPhoto {
    let file: ProducedFile
    let identity: RenditionIdentity
}

extension RenderContext {
    /// Makes the files of preview and photo, each beside the other, and publishes them, the preview first.
    mutating func publish(
        _ developed: borrowing DevelopedInStrips, _ draft: RenditionDraft, _ clock: inout StageClock
    ) throws(Failure) -> (preview: ProducedFile, photo: PublishedPhoto) {
        let source = draft.work.job.source
        let size: PixelSize
        switch developed.preview {
        case .some(let image):
            size = image.size
            clock.measure(.encode) { previews.begin(image, isBeside: threads > 1) }
        case .none:
            throw Failure(.internalError, "\(source.raw.file): no preview was developed.")
        }
        // Not before may the picture go.
        defer { previews.wait() }
        let identity = draft.identity
        try clock.measure(.encode) { () throws(Failure) in try finishPhoto(developed, draft, identity) }
        let preview = try publishPreview(size, draft.key, source, &clock)
        return (preview, try publishPhoto(draft, identity, &clock))
    }

    /// The preview has no EXIF and no XMP: its bytes follow from the key alone, whoever renders it.
    private func publishPreview(
        _ size: PixelSize, _ key: RenditionKey, _ source: Source, _ clock: inout StageClock
    ) throws(Failure) -> ProducedFile {
        let bytes = try clock.measure(.encode) { () throws(Failure) in
            try encodeFailure(source) { () throws(EncodeError) in try previews.bytes() }
        }
        let path = LibraryLayout.preview(key)
        let publication = try publish(bytes, at: path, .replace, &clock)
        return ProducedFile(path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: size)
    }

    /// Puts metadata and strips together to the photo's file, in the encoder's memory.
    private mutating func finishPhoto(
        _ developed: borrowing DevelopedInStrips, _ draft: RenditionDraft, _ identity: RenditionIdentity
    ) throws(Failure) {
        let segments = JPEGSegments(exif: try exif(developed, draft), xmp: try packet(draft, identity))
        try encodeFailure(draft.work.job.source) { () throws(EncodeError) in
            try encoder.finish(draft.work.job.recipe.colourSpace, segments: segments)
        }
    }

    private func publishPhoto(
        _ draft: RenditionDraft, _ identity: RenditionIdentity, _ clock: inout StageClock
    ) throws(Failure) -> PublishedPhoto {
        let path = LibraryLayout.photo(draft.key)
        let bytes = encoder.withBytes { $0 }
        var publication = try publish(bytes, at: path, .keep, &clock)
        var standing = identity
        if publication.outcome == .kept {
            if let existing = existingIdentity(path), keeps(existing, beside: identity) {
                standing = existing
            } else {
                publication = try publish(bytes, at: path, .replace, &clock)
            }
        }
        let file = ProducedFile(
            path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: draft.size)
        return PublishedPhoto(file: file, identity: standing)
    }

    /// `--originals copy` and `move`: the RAW's bytes, by their hash, inside the library. The cataloguer gives them
    /// their name in the photo tree, and removes a moved source, after the rendition is in the library.
    func publishOriginal(_ work: FrameWork) throws(Failure) -> ProducedFile? {
        let raw = work.job.source.raw
        guard work.job.originals != .reference, let root = roots[raw.file.root.text] else { return nil }
        let name = raw.file.path.name
        let dot = name.lastIndex(of: UInt8(ascii: "."))
        let fileExtension = dot.map { String(decoding: name[($0 + 1)...], as: UTF8.self) } ?? ""
        let path = LibraryLayout.original(work.material.asset, fileExtension: fileExtension)
        let publication = try libraryFailure { () throws(StorageError) in
            try library.publishCopy(
                of: raw.file.path.bytes, in: root, digest: work.material.asset, at: path.bytes, existing: .replace)
        }
        return ProducedFile(path: path, digest: publication.digest, sizeBytes: publication.sizeBytes, size: nil)
    }

    /// Begins the photo of a frame, whose strips come while it is developed.
    mutating func begin(_ work: FrameWork) throws(Failure) -> StripEncoder {
        try encodeFailure(work.job.source) { () throws(EncodeError) in
            try encoder.begin(quality: Int(work.job.recipe.quality))
        }
    }

    private func publish(
        _ bytes: UnsafeRawBufferPointer, at path: RelativePath, _ existing: ExistingFile, _ clock: inout StageClock
    ) throws(Failure) -> Publication {
        try clock.measure(.write) { () throws(Failure) in
            try libraryFailure { () throws(StorageError) in
                try library.publish(bytes, at: path.bytes, existing: existing)
            }
        }
    }

    /// Nil for a file that does not say, which is then replaced.
    private func existingIdentity(_ path: RelativePath) -> RenditionIdentity? {
        guard let prefix = try? library.prefix(of: path.bytes, byteCount: JPEGWalker.prefixByteCount) else {
            return nil
        }
        return try? toolkit.identity(fromJPEG: prefix)
    }

    /// The same key with other bytes: other metadata, or another place of the same RAW.
    ///
    /// A copy of the RAW elsewhere keeps the file as it is, because two copies are one asset and shown once. A RAW
    /// that was moved, or whose sidecar changed, gets a file that says so.
    private func keeps(_ existing: RenditionIdentity, beside ours: RenditionIdentity) -> Bool {
        let place = existing.original
        if place.root == ours.original.root, place.path == ours.original.path { return false }
        guard let root = roots[place.root], let facts = try? root.facts(of: place.path) else { return false }
        return facts.sizeBytes == place.sizeBytes
    }

    private mutating func exif(_ developed: borrowing DevelopedInStrips, _ draft: RenditionDraft) throws(Failure)
        -> [UInt8]
    {
        RenditionExif(
            source: draft.metadata, width: draft.size.width, height: draft.size.height,
            isSRGB: draft.work.job.recipe.colourSpace == .sRGB, software: RenditionDraft.software,
            thumbnail: thumbnail(developed)
        ).payload()
    }

    /// Nil where it cannot be made: a photo without one is as good.
    private mutating func thumbnail(_ developed: borrowing DevelopedInStrips) -> [UInt8]? {
        switch developed.preview {
        case .some(let preview):
            let small = reduced(preview, toLongEdge: RenderSettings.thumbnailEdge)
            let done: Void? = try? encoder.encode(small, quality: RenderSettings.thumbnailQuality, segments: .bare)
            return done.map { encoder.copyBytes() }
        case .none: return nil
        }
    }

    private func packet(_ draft: RenditionDraft, _ identity: RenditionIdentity) throws(Failure) -> [UInt8] {
        // A RAW whose own packet is broken still makes a photo; only what it said is lost.
        let own = draft.metadata.xmp.flatMap { try? toolkit.inherited(from: $0) } ?? InheritedXMP()
        do throws(XMPError) {
            return try toolkit.packet(
                identity: identity, inherited: own.overridden(by: draft.work.material.sidecar),
                creatorTool: RenditionDraft.software)
        } catch {
            throw Failure(.internalError, "\(draft.work.job.source.raw.file): \(error).")
        }
    }
}
