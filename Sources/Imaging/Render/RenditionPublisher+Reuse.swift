internal import Digest
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import RenderJobs
internal import Storage

/// A photo that the library already has, with its preview and identity.
struct KnownPhoto {
    /// The bytes of a JPEG; empty for other formats, which are too large for memory.
    let bytes: [UInt8]
    let sizeBytes: UInt64
    /// SHA-256 of the bytes. The cataloguer compares it with the library's record, because a file cannot vouch for
    /// itself.
    let digest: SHA256Value
    let identity: RenditionIdentity
    let preview: ProducedFile

    var size: PixelSize { PixelSize(width: identity.width, height: identity.height) }
}

/// Reuses the library's photo instead of developing it again: for a RAW that was renamed or copied, or for the frames
/// of a burst that succeeded. RAW bytes, recipe and engine decide the pixels and name the object. The XMP also depends
/// on the RAW's path and its sidecar, and is rewritten.
extension RenditionPublisher {
    static let maxPhotoBytes: UInt64 = 1 << 30

    /// The library's photo of these RAW bytes; nil if it is missing or incomplete.
    func knownPhoto(_ files: FrameFiles, _ task: FrameTask) -> KnownPhoto? {
        let recipe = task.job.recipe.id
        let frame = UInt32(task.frame)
        let asset = files.asset
        let key = RenditionKey(
            asset: asset, frame: frame, recipe: recipe, engine: Engine.version, format: task.job.recipe.format)
        guard let file = files.knownPhoto, let contents = contents(of: file, key.format),
            let identity = try? toolkit.identity(from: PhotoBytes(file)), identity.key == key.description,
            identity.asset == asset.description, identity.frame == frame,
            identity.recipeID == recipe.description, identity.engine == String(Engine.version),
            let size = PhotoMetadata.size(of: PhotoBytes(file)), size.width == identity.width,
            size.height == identity.height, let preview = knownPreview(files, key)
        else { return nil }
        return KnownPhoto(
            bytes: contents.bytes, sizeBytes: file.facts.sizeBytes, digest: contents.digest, identity: identity,
            preview: preview)
    }

    private func contents(of file: OpenFile, _ format: PhotoFormat) -> (digest: SHA256Value, bytes: [UInt8])? {
        if format != .jpeg {
            guard PhotoMetadata.isWhole(PhotoBytes(file), byteCount: file.facts.sizeBytes) else { return nil }
            var hasher = FileHasher(file)
            return (try? hasher.finish()).map { ($0, []) }
        }
        guard let bytes = try? file.contents(limitBytes: Self.maxPhotoBytes),
            bytes.suffix(2).elementsEqual([0xFF, JPEGMarker.endOfImage.rawValue])
        else { return nil }
        return (SHA256Value(of: bytes), bytes)
    }

    private func knownPreview(_ files: FrameFiles, _ key: RenditionKey) -> ProducedFile? {
        guard let bytes = try? files.knownPreview?.contents(limitBytes: Self.maxPhotoBytes),
            let header = JPEGMetadata.frameHeader(in: bytes)
        else { return nil }
        return ProducedFile(
            path: LibraryLayout.preview(key), digest: SHA256Value(of: bytes), sizeBytes: UInt64(bytes.count),
            size: PixelSize(width: header.width, height: header.height))
    }

    /// Gives the photo the metadata that developing it now would give it.
    ///
    /// - Parameters:
    ///   - identity: the photo's new identity.
    ///   - packet: XMP with that identity.
    /// - Returns: nil if the photo must be developed again.
    func publish(
        _ known: KnownPhoto, _ draft: RenditionDraft, _ identity: RenditionIdentity, _ packet: [UInt8]
    ) throws(Failure) -> WrittenPhoto? {
        if try keeps(known.identity, insteadOf: identity, draft.task) {
            return WrittenPhoto(known, draft, known.identity)
        }
        guard let source = draft.files.knownPhoto else { return nil }
        if (try? PhotoMetadata.xmpPacket(in: PhotoBytes(source))) == packet {
            return WrittenPhoto(known, draft, identity)
        }
        guard let written = try copy(of: known, source, draft, packet) else { return nil }
        return WrittenPhoto(written, draft, identity, replaces: true)
    }

    /// Copies the photo with another packet.
    ///
    /// - Returns: nil if its XMP cannot be replaced, and always for AVIF and JPEG XL, which are encoded anew.
    private func copy(
        of known: KnownPhoto, _ source: OpenFile, _ draft: RenditionDraft, _ packet: [UInt8]
    ) throws(Failure) -> WrittenFile? {
        if draft.key.format == .jpeg {
            guard let bytes = JPEGMetadata.replacingXMPPacket(in: known.bytes, with: packet) else { return nil }
            return try write(bytes, to: draft.files.photo)
        }
        let photo = PhotoBytes(source)
        guard let pixels = PhotoMetadata.pixels(of: photo, byteCount: source.facts.sizeBytes) else { return nil }
        let file = BlankPhotoFile(draft.files.photo)
        let byteCount = try file.encoding(of: draft.task.file) { () throws(EncodeError) in
            try LosslessCopy.write(
                PhotoCoding(draft.task.job.recipe), metadata(draft, packet),
                pixels: { (try? source.bytes(from: pixels.lowerBound + $0, count: $1)) ?? [] },
                byteCount: pixels.upperBound - pixels.lowerBound, to: file)
        }
        return try file.finish(byteCount)
    }
}

extension PhotoBytes {
    /// Reads an open file. Unreadable bytes count as missing.
    init(_ file: OpenFile) { self.init { offset, count in (try? file.bytes(from: offset, count: count)) ?? [] } }
}
