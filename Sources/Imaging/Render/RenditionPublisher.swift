internal import Digest
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import RenderJobs
internal import Storage

/// Writes a rendition's files. Who gave them makes them durable and names them.
struct RenditionPublisher {
    let toolkit: XMPToolkit
    let profiles: ICCProfiles
    /// True if a library keeps the photos: of several paths of a RAW its photo names the first. On the way to a
    /// folder each photo is taken away under the name it got, so that one that is there stays.
    private let ordersPaths: Bool

    init(toolkit: XMPToolkit, profiles: ICCProfiles, ordersPaths: Bool) {
        self.toolkit = toolkit
        self.profiles = profiles
        self.ordersPaths = ordersPaths
    }

    /// Begins a photo: decides which of the RAW's paths it names, and writes what it says of itself.
    ///
    /// The photo that is there keeps its path where that is a copy of the same RAW that comes first.
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

    /// Writes the preview's file beside the photo's, which is complete.
    ///
    /// The preview has no EXIF and no XMP: its bytes follow from the key alone, whichever worker renders it.
    ///
    /// - Parameters:
    ///   - preview: its file.
    ///   - previewSize: its width and height.
    ///   - byteCount: the photo's.
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

    /// Decides between the photo and another file that has its name.
    private func settle(
        _ photo: PhotoInProgress, _ byteCount: Int, _ draft: RenditionDraft
    ) throws(Failure) -> WrittenPhoto {
        if let identity = photo.knownIdentity, !draft.task.job.rendersAnew,
            let known = soundPhoto(draft.files, photo, byteCount)
        {
            // Who names files finds that they are the same, and sees to it that the one that is there is durable.
            let written = try photo.file.rewrite(known, draft.task.file)
            return WrittenPhoto(written, draft, identity, replaces: false)
        }
        let written = try photo.file.finish(byteCount)
        // Where the library's photo has the same bytes, who names files finds that, and sees to it that it is durable.
        let replaces = draft.files.knownPhoto != nil && photo.knownDigest != written.digest
        return WrittenPhoto(written, draft, photo.identity, replaces: replaces)
    }

    /// The library's photo if it has the bytes of the one that was developed just now, except for its XMP. Only of a
    /// JPEG: the others are too large to be in memory.
    private func soundPhoto(_ files: FrameFiles, _ photo: PhotoInProgress, _ byteCount: Int) -> [UInt8]? {
        guard let known = try? files.knownPhoto?.contents(limitBytes: Self.maxPhotoBytes),
            let packet = try? JPEGMetadata.xmpPacket(in: known), let developed = photo.file.contents(byteCount),
            JPEGMetadata.replacingXMPPacket(in: developed, with: packet) == known
        else { return nil }
        return known
    }

    /// Decides between two files of one key whose bytes differ: their metadata does, or the RAW's location.
    ///
    /// Of several paths of a RAW the photo names the first in the order of roots and paths, whichever worker comes
    /// first. A path counts as long as the RAW is there, or where the library has the RAW's copy. So a RAW that was
    /// renamed, or whose sidecar changed, gets a file that says so.
    func keeps(
        _ existing: RenditionIdentity, insteadOf ours: RenditionIdentity, _ task: FrameTask
    ) throws(Failure) -> Bool {
        let (other, own) = (existing.original, ours.original)
        guard ordersPaths ? other.isBefore(own) : !other.isPath(of: own) else { return false }
        // Without its folders a path cannot be looked for.
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

/// A photo that is being written, and what it says of itself.
struct PhotoInProgress {
    let file: BlankPhotoFile
    let sink: any PictureSink
    let identity: RenditionIdentity
    /// Of the library's photo of the same key; nil if it has none that can be read.
    let knownDigest: SHA256Value?
    /// What that photo says of itself, if it keeps its path; else nil.
    let knownIdentity: RenditionIdentity?

    /// Completes the photo's file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ supplement: PhotoSupplement, _ source: FileReference) throws(Failure) -> Int {
        try file.encoding(of: source) { () throws(EncodeError) in try sink.finish(supplement) }
    }
}

/// A photo that has its final name or will get it, and what it says of itself.
struct PublishedPhoto {
    let file: ProducedFile
    let identity: RenditionIdentity
}

/// A photo that was written, or is in the library already.
struct WrittenPhoto {
    let photo: PublishedPhoto
    /// Nil if the library's is taken as it is.
    let written: WrittenFile?
    /// Whether it takes the place of a file with other bytes.
    let replaces: Bool

    init(_ written: WrittenFile, _ draft: RenditionDraft, _ identity: RenditionIdentity, replaces: Bool) {
        let file = ProducedFile(written, at: LibraryLayout.photo(draft.key), draft.size)
        photo = PublishedPhoto(file: file, identity: identity)
        self.written = written
        self.replaces = replaces
    }

    /// The library's photo as it is.
    init(_ known: KnownPhoto, _ draft: RenditionDraft, _ identity: RenditionIdentity) {
        let file = ProducedFile(
            path: LibraryLayout.photo(draft.key), digest: known.digest, sizeBytes: known.sizeBytes,
            size: draft.size)
        photo = PublishedPhoto(file: file, identity: identity)
        written = nil
        replaces = false
    }
}

/// The files of a rendition.
struct PublishedRendition {
    let preview: ProducedFile
    let photo: PublishedPhoto
    let output: FrameOutput
}

extension RenditionIdentity {
    /// The same rendition, of another path of the RAW.
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
