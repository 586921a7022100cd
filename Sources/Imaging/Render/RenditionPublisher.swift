internal import Digest
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import RenderJobs
internal import Storage

/// Writes a rendition's files. Their owner makes them durable and names them.
struct RenditionPublisher {
    let toolkit: XMPToolkit
    let profiles: ICCProfiles
    /// Whether a library keeps the photos: of a RAW's paths, its photo then names the first. Without a library, each
    /// photo keeps the path it was rendered from.
    private let ordersPaths: Bool

    init(toolkit: XMPToolkit, profiles: ICCProfiles, ordersPaths: Bool) {
        self.toolkit = toolkit
        self.profiles = profiles
        self.ordersPaths = ordersPaths
    }

    /// Begins a photo: chooses the RAW's path to record, and writes the metadata.
    ///
    /// An existing photo's path is kept if it is of a copy of the RAW and precedes the new path.
    func begin(_ draft: RenditionDraft, _ encoder: inout RenditionEncoder) throws(Failure) -> PhotoInProgress {
        let known = draft.files.knownPhoto == nil ? nil : knownPhoto(draft.files, draft.task)
        var identity = draft.identity
        var kept: RenditionIdentity?
        if let known, try keeps(known.identity, insteadOf: identity, draft.task) {
            kept = known.identity
            identity = identity.naming(theFilesOf: known.identity)
        }
        let file = BlankPhotoFile(draft.files.photo)
        let sink = try encoder.begin(
            draft.task, metadata(draft, try draft.xmpPacket(identity, toolkit)), in: file)
        return PhotoInProgress(
            file: file, sink: sink, identity: identity, knownDigest: known?.digest, knownIdentity: kept)
    }

    func metadata(_ draft: RenditionDraft, _ packet: [UInt8]) -> EmbeddedMetadata {
        EmbeddedMetadata(exif: draft.exif, xmp: packet, profile: profiles[draft.task.job.recipe.colourSpace])
    }

    /// Writes the preview's file next to the completed photo.
    ///
    /// The preview has no EXIF and no XMP: its bytes depend only on the key, not on the worker.
    ///
    /// - Parameters:
    ///   - preview: bytes of the preview.
    ///   - previewSize: width and height.
    ///   - byteCount: size of the photo's file.
    func publish(
        preview: UnsafeRawBufferPointer, previewSize: PixelSize, _ photo: PhotoInProgress, byteCount: Int,
        _ draft: RenditionDraft
    ) throws(Failure) -> PublishedRendition {
        let writtenPreview = try unsafe write(preview, to: draft.files.preview)
        let written = try settle(photo, byteCount, draft)
        return PublishedRendition(
            preview: ProducedFile(writtenPreview, at: LibraryLayout.preview(draft.key), previewSize),
            photo: written.photo,
            output: FrameOutput(
                frame: UInt32(draft.task.frame), photo: written.written, preview: writtenPreview,
                replacesPhoto: written.replaces))
    }

    /// Chooses between the photo and an existing one of the same name.
    private func settle(
        _ photo: PhotoInProgress, _ byteCount: Int, _ draft: RenditionDraft
    ) throws(Failure) -> WrittenPhoto {
        if let identity = photo.knownIdentity, !draft.task.job.rendersAnew,
            let known = soundPhoto(draft.files, photo, byteCount)
        {
            // Publishing detects equal files, and makes the existing one durable.
            let written = try photo.file.rewrite(known, draft.task.file)
            return WrittenPhoto(written, draft, identity, replaces: false)
        }
        let written = try photo.file.finish(byteCount)
        // For equal bytes, publishing does likewise.
        let replaces = draft.files.knownPhoto != nil && photo.knownDigest != written.digest
        return WrittenPhoto(written, draft, photo.identity, replaces: replaces)
    }

    /// The library's JPEG if it equals the newly developed one except for its XMP. Other formats are too large for
    /// memory.
    private func soundPhoto(_ files: FrameFiles, _ photo: PhotoInProgress, _ byteCount: Int) -> [UInt8]? {
        guard let known = try? files.knownPhoto?.contents(limitBytes: Self.maxPhotoBytes),
            let packet = try? JPEGMetadata.xmpPacket(in: known), let developed = photo.file.contents(byteCount),
            JPEGMetadata.replacingXMPPacket(in: developed, with: packet) == known
        else { return nil }
        return known
    }

    /// Chooses between two files with the same key and different bytes, due to different metadata or RAW paths.
    ///
    /// Of a RAW's paths, the photo records the first in the order of roots and paths, independent of the workers'
    /// order. A path counts while the RAW exists there, or if the library has a copy of the RAW. After a rename, or a
    /// change of the sidecar, the photo thus gets a new file.
    func keeps(
        _ existing: RenditionIdentity, insteadOf ours: RenditionIdentity, _ task: FrameTask
    ) throws(Failure) -> Bool {
        let (other, own) = (existing.original, ours.original)
        guard ordersPaths ? other.isBefore(own) : !other.isPath(of: own) else { return false }
        // A path without its folders cannot be checked.
        if other.root == FileIdentity.strippedRoot { return ordersPaths && own.root == other.root }
        guard let stamp = other.stamp() else { return false }
        return try task.files.isThere(stamp)
    }

    func write(_ bytes: [UInt8], to file: BlankFile) throws(Failure) -> WrittenFile {
        try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(Failure) in try unsafe write(bytes, to: file) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, to file: BlankFile) throws(Failure) -> WrittenFile {
        let digest = try catchingLibraryErrors { () throws(StorageError) in try unsafe file.fill(with: bytes) }
        return WrittenFile(digest: digest, sizeBytes: UInt64(bytes.count))
    }
}

/// A photo being written, with its identity.
struct PhotoInProgress {
    let file: BlankPhotoFile
    let sink: any PictureSink
    let identity: RenditionIdentity
    /// Digest of the library's photo with the same key; nil if it is missing or unreadable.
    let knownDigest: SHA256Value?
    /// That photo's identity if its path is kept; else nil.
    let knownIdentity: RenditionIdentity?

    /// Completes the file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ supplement: PhotoSupplement, _ source: FileReference) throws(Failure) -> Int {
        try file.encoding(of: source) { () throws(EncodeError) in try sink.finish(supplement) }
    }
}

/// A photo under its final name, with its identity.
struct PublishedPhoto {
    let file: ProducedFile
    let identity: RenditionIdentity
}

struct WrittenPhoto {
    let photo: PublishedPhoto
    /// Nil if the library's file is reused unchanged.
    let written: WrittenFile?
    let replaces: Bool

    init(_ written: WrittenFile, _ draft: RenditionDraft, _ identity: RenditionIdentity, replaces: Bool) {
        let file = ProducedFile(written, at: LibraryLayout.photo(draft.key), draft.size)
        photo = PublishedPhoto(file: file, identity: identity)
        self.written = written
        self.replaces = replaces
    }

    /// Reuses the library's photo unchanged.
    init(_ known: KnownPhoto, _ draft: RenditionDraft, _ identity: RenditionIdentity) {
        let file = ProducedFile(
            path: LibraryLayout.photo(draft.key), digest: known.digest, sizeBytes: known.sizeBytes,
            size: draft.size)
        photo = PublishedPhoto(file: file, identity: identity)
        written = nil
        replaces = false
    }
}

struct PublishedRendition {
    let preview: ProducedFile
    let photo: PublishedPhoto
    let output: FrameOutput
}

extension RenditionIdentity {
    /// The same rendition, with another path of the RAW.
    func naming(theFilesOf other: RenditionIdentity) -> RenditionIdentity {
        var identity = self
        identity.original = other.original
        identity.photoBase = other.photoBase
        identity.companion = other.companion
        identity.companionDigest = other.companionDigest
        return identity
    }
}

extension ProducedFile {
    init(_ file: WrittenFile, at path: RelativePath, _ size: PixelSize) {
        self.init(path: path, digest: file.digest, sizeBytes: file.sizeBytes, size: size)
    }
}
