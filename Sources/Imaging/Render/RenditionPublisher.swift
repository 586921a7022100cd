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
    /// True where a library keeps the photos: of several paths of a RAW its photo names the first. On the way to a folder
    /// each photo is taken away under the name it got, so that one that is there stays.
    private let ordersPaths: Bool

    init(toolkit: XMPToolkit, profiles: ICCProfiles, ordersPaths: Bool) {
        self.toolkit = toolkit
        self.profiles = profiles
        self.ordersPaths = ordersPaths
    }

    /// Writes preview and photo.
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
    ) throws(Failure) -> PublishedRendition {
        let path = LibraryLayout.preview(draft.key)
        let writtenPreview = try unsafe write(preview, to: draft.files.preview)
        let photo = try unsafe settle(bytes, draft, identity)
        return PublishedRendition(
            preview: ProducedFile(writtenPreview, at: path, previewSize), photo: photo.photo,
            output: FrameOutput(
                frame: UInt32(draft.task.frame), photo: photo.written, preview: writtenPreview,
                replacesPhoto: photo.replaces))
    }

    /// Decides between the photo and another file that has its name.
    private func settle(
        _ bytes: UnsafeRawBufferPointer, _ draft: RenditionDraft, _ identity: RenditionIdentity
    ) throws(Failure) -> WrittenPhoto {
        if draft.files.knownPhoto != nil, let known = knownPhoto(draft.files, draft.task),
            unsafe !known.bytes.elementsEqual(bytes),
            try keeps(known.identity, insteadOf: identity, draft.task)
        {
            return try unsafe settle(known, with: Array(bytes), draft, identity)
        }
        let written = try unsafe write(bytes, to: draft.files.photo)
        return WrittenPhoto(written, draft, identity, replaces: draft.files.knownPhoto != nil)
    }

    /// Keeps a photo that names another path of the RAW, if it is sound: if it has the bytes of the one that was developed
    /// just now, except for its XMP. Where it is not, or the job is rendered anew because it may not be, the new one takes
    /// its place under the same path.
    private func settle(
        _ known: KnownPhoto, with developed: [UInt8], _ draft: RenditionDraft, _ own: RenditionIdentity
    ) throws(Failure) -> WrittenPhoto {
        let identity = own.naming(theFilesOf: known.identity)
        let isSame =
            (try? JPEGMetadata.xmpPacket(in: developed)).flatMap {
                JPEGMetadata.replacingXMPPacket(in: known.bytes, with: $0)
            } == developed
        guard draft.task.job.rendersAnew || !isSame else {
            // Who names files finds that they are the same, and sees to it that the one that is there is durable.
            return WrittenPhoto(try write(known.bytes, to: draft.files.photo), draft, known.identity, replaces: false)
        }
        let packet = try draft.xmpPacket(identity, toolkit)
        let bytes = JPEGMetadata.replacingXMPPacket(in: developed, with: packet) ?? developed
        return WrittenPhoto(try write(bytes, to: draft.files.photo), draft, identity, replaces: true)
    }

    /// Decides between two files of one key whose bytes differ: their metadata does, or the RAW's location.
    ///
    /// Of several paths of a RAW the photo names the first in the order of roots and paths, whichever worker comes first.
    /// A path counts as long as the RAW is there, or where the library has the RAW's copy. So a RAW that was renamed, or
    /// whose sidecar changed, gets a file that says so.
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

/// A photo that has its final name or will get it, and what it says of itself.
struct PublishedPhoto {
    let file: ProducedFile
    let identity: RenditionIdentity
}

/// A photo that was written, or is in the library already.
struct WrittenPhoto {
    let photo: PublishedPhoto
    /// Nil where the library's is taken as it is.
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
