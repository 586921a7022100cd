public import PictureFormat

/// The camera's own rendering as it is in the RAW, not turned upright.
public struct EmbeddedPreview: Sendable {
    /// How the bytes are to be read.
    public enum Format: Hashable, Sendable {
        /// A whole JPEG.
        case jpeg
        /// Three bytes a pixel, rows without gaps.
        case rgb8
    }

    /// How the bytes are to be read.
    public let format: Format
    /// The picture.
    public let bytes: [UInt8]
    /// As the RAW states it. For a JPEG its own header is what counts.
    public let size: PixelSize
}

extension Frame {
    /// The largest picture the camera embedded, as LibRaw finds it.
    func embeddedPreview(limits: DecodeLimits) -> EmbeddedPreview? {
        guard let found = raw.thumbnail(maxByteCount: limits.fileBytes) else { return nil }
        switch found.format {
        case .jpeg:
            guard found.bytes.starts(with: [0xff, 0xd8]) else { return nil }
            return EmbeddedPreview(format: .jpeg, bytes: found.bytes, size: found.size)
        case .rgb8:
            let edges = 1...65_535
            guard edges.contains(found.size.width), edges.contains(found.size.height),
                found.bytes.count >= found.size.pixelCount * 3
            else { return nil }
            let bytes = Array(found.bytes.prefix(found.size.pixelCount * 3))
            return EmbeddedPreview(format: .rgb8, bytes: bytes, size: found.size)
        }
    }

    /// The smallest embedded picture that is large enough to compare with.
    func smallPreview(limits: DecodeLimits) -> EmbeddedPreview? {
        var search = PreviewSearch()
        if let tiff { search.add(tiff) }
        if search.isSuccessful { return search.best }
        guard let whole = embeddedPreview(limits: limits) else { return search.best }
        switch whole.format {
        case .jpeg: unsafe whole.bytes.withUnsafeBytes { unsafe search.add(jpeg: $0) }
        case .rgb8: return whole
        }
        return search.best
    }
}
