internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import RenderJobs
internal import Storage

/// A photo made from 16 bits a channel that is being written, and what it says of itself.
struct Photo16 {
    let file: BlankPhotoFile
    let encoder: any RGB16PhotoEncoder
    let identity: RenditionIdentity
    /// The library's photo of the same key; nil where it has none that can be read.
    let known: KnownPhoto?

    /// Completes the photo's file.
    ///
    /// - Returns: its size in bytes.
    func finish(_ source: FileReference) throws(Failure) -> Int {
        try file.encoding(of: source) { () throws(EncodeError) in try encoder.finish() }
    }
}

/// TIFF and PNG photos are written while they are developed, and are never whole in memory.
extension RenditionPublisher {
    /// Begins a photo: decides which of the RAW's paths it names, and writes what it says of itself.
    func begin16(_ draft: RenditionDraft) throws(Failure) -> Photo16 {
        let known = draft.files.knownPhoto == nil ? nil : knownPhoto(draft.files, draft.task)
        var identity = draft.identity
        if let known, try keeps(known.identity, insteadOf: identity, draft.task) {
            identity = identity.naming(theFilesOf: known.identity)
        }
        let metadata = try metadata(draft, draft.xmpPacket(identity, toolkit))
        let file = BlankPhotoFile(draft.files.photo)
        let encoder = try file.encoding(of: draft.task.file) { () throws(EncodeError) in
            try Self.encoder(draft.task, metadata, file)
        }
        return Photo16(file: file, encoder: encoder, identity: identity, known: known)
    }

    private static func encoder(
        _ task: FrameTask, _ metadata: RGB16Metadata, _ file: BlankPhotoFile
    ) throws(EncodeError) -> any RGB16PhotoEncoder {
        let recipe = task.job.recipe
        switch recipe.format {
        case .avif:
            let coding = AVIFCoding(quality: Int(recipe.quality), colourSpace: recipe.colourSpace)
            return try AVIFEncoder(coding, metadata, file: file)
        case .jxl:
            let coding = JXLCoding(quality: Int(recipe.quality), colourSpace: recipe.colourSpace)
            return try JXLEncoder(coding, metadata, threads: task.threads, file: file)
        case .jpeg, .tiff, .png: return try RGB16Encoder(recipe.format, metadata, file: file)
        }
    }

    /// Writes the preview's file beside the photo's, which is complete.
    ///
    /// - Parameter byteCount: the photo's.
    func publish(
        preview: UnsafeRawBufferPointer, previewSize: PixelSize, _ photo: Photo16, _ byteCount: Int,
        _ draft: RenditionDraft
    ) throws(Failure) -> PublishedRendition {
        let writtenPreview = try unsafe write(preview, to: draft.files.preview)
        let written = try finish(draft.files.photo, byteCount)
        // Where the library's photo has the same bytes, who names files finds that, and sees to it that it is durable.
        let replaces = draft.files.knownPhoto != nil && photo.known?.digest != written.digest
        return PublishedRendition(
            preview: ProducedFile(writtenPreview, at: LibraryLayout.preview(draft.key), previewSize),
            photo: WrittenPhoto(written, draft, photo.identity, replaces: replaces).photo,
            output: FrameOutput(
                frame: UInt32(draft.task.frame), photo: written, preview: writtenPreview, replacesPhoto: replaces))
    }

    /// Gives the library's photo the metadata that developing it again would give it.
    ///
    /// - Returns: nil if its pixels cannot be found, and for an AVIF or JPEG XL whose metadata would change: it is
    ///   encoded anew.
    func publish16(
        _ known: KnownPhoto, _ draft: RenditionDraft, _ identity: RenditionIdentity, _ packet: [UInt8]
    ) throws(Failure) -> WrittenPhoto? {
        guard let source = draft.files.knownPhoto else { return nil }
        let photo = PhotoBytes(source)
        if (try? PhotoMetadata.xmpPacket(in: photo)) == packet { return WrittenPhoto(known, draft, identity) }
        guard let pixels = PhotoMetadata.pixels(of: photo, byteCount: source.facts.sizeBytes) else { return nil }
        let metadata = metadata(draft, packet)
        let file = BlankPhotoFile(draft.files.photo)
        let byteCount = try file.encoding(of: draft.task.file) { () throws(EncodeError) in
            try RGB16Copy.write(
                draft.key.format, metadata,
                pixels: { (try? source.bytes(from: pixels.lowerBound + $0, count: $1)) ?? [] },
                byteCount: pixels.upperBound - pixels.lowerBound, to: file)
        }
        return WrittenPhoto(try finish(draft.files.photo, byteCount), draft, identity, replaces: true)
    }

    private func finish(_ file: BlankFile, _ byteCount: Int) throws(Failure) -> WrittenFile {
        let digest = try catchingLibraryErrors { () throws(StorageError) in try file.finish() }
        return WrittenFile(digest: digest, sizeBytes: UInt64(byteCount))
    }

    private func metadata(_ draft: RenditionDraft, _ packet: [UInt8]) -> RGB16Metadata {
        RGB16Metadata(exif: draft.exif, xmp: packet, profile: profiles[draft.task.job.recipe.colourSpace])
    }
}

extension PhotoBytes {
    /// A file that is open. What cannot be read counts as missing.
    init(_ file: OpenFile) { self.init { offset, count in (try? file.bytes(from: offset, count: count)) ?? [] } }
}
