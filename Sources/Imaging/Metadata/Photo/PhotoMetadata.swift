public import Manifests
public import PictureFormat

/// Reads metadata and size of an untrusted photo: JPEG, TIFF, PNG, AVIF or JPEG XL.
public enum PhotoMetadata {
    /// The XMP packet.
    ///
    /// - Throws: `notAPhoto` if the format is unknown or the file ends before the packet; `noPacket`; `tooLarge`.
    public static func xmpPacket(in photo: PhotoBytes) throws(XMPError) -> [UInt8] {
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .jpeg: return try JPEGMetadata.xmpPacket(in: photo.prefix(JPEGMetadata.prefixByteCount))
        case .tiff: return try TIFFMetadata(photo).xmpPacket()
        case .png: return try PNGMetadata(photo).xmpPacket()
        case .avif: return try AVIFMetadata(photo).xmpPacket()
        case .jxl: return try JXLMetadata(photo).xmpPacket()
        case nil: throw .notAPhoto
        }
    }

    /// The EXIF fields; empty if the photo has none, is damaged, or has an unknown format.
    public static func exif(in photo: PhotoBytes) -> [ExifField] {
        let block: [UInt8]?
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .jpeg: block = JPEGMetadata.exifBlock(in: photo.prefix(JPEGMetadata.prefixByteCount))
        // Directories and their values precede the pixels.
        case .tiff: block = photo.prefix(JPEGMetadata.prefixByteCount)
        case .png: block = PNGMetadata(photo).exifBlock
        case .avif: block = (try? AVIFMetadata(photo))?.exifBlock
        case .jxl: block = JXLMetadata(photo).exifBlock
        case nil: block = nil
        }
        return block.flatMap(ExifBlockReader.fields) ?? []
    }

    /// Range of the pixels in a TIFF or PNG written by Rawmill: from the end of the metadata to the end of the file.
    /// Nil for other and incomplete files.
    ///
    /// - Parameter byteCount: the file's size.
    public static func pixels(of photo: PhotoBytes, byteCount: UInt64) -> Range<UInt64>? {
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .tiff:
            guard let strips = (try? TIFFMetadata(photo)).flatMap(\.strips), strips.upperBound == byteCount else {
                return nil
            }
            return strips
        case .png:
            let png = PNGMetadata(photo)
            guard let start = png.pixelStart, png.isWhole(byteCount: byteCount), start <= byteCount else { return nil }
            return start..<byteCount
        case .jpeg, .avif, .jxl, nil: return nil
        }
    }

    /// Whether a TIFF, PNG, AVIF or JPEG XL written by Rawmill is complete.
    ///
    /// - Parameter byteCount: the file's size.
    public static func isWhole(_ photo: PhotoBytes, byteCount: UInt64) -> Bool {
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .avif: (try? AVIFMetadata(photo))?.isWhole(byteCount: byteCount) == true
        case .jxl: JXLMetadata(photo).isWhole(byteCount: byteCount)
        case .jpeg, .tiff, .png, nil: pixels(of: photo, byteCount: byteCount) != nil
        }
    }

    /// Width and height in pixels, each 1 to 65,535; nil if the file does not state them.
    public static func size(of photo: PhotoBytes) -> PixelSize? {
        let size: (width: Int, height: Int)?
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .jpeg:
            size = JPEGMetadata.frameHeader(in: photo.prefix(JPEGMetadata.prefixByteCount)).map {
                ($0.width, $0.height)
            }
        case .tiff: size = (try? TIFFMetadata(photo)).flatMap(\.size)
        case .png: size = PNGMetadata(photo).size
        case .avif: size = (try? AVIFMetadata(photo)).flatMap(\.size)
        case .jxl: size = JXLMetadata(photo).size
        case nil: size = nil
        }
        guard let size, (1...65_535).contains(size.width), (1...65_535).contains(size.height) else { return nil }
        return PixelSize(width: size.width, height: size.height)
    }
}

extension PhotoFormat {
    static let signatureBytes = 12

    /// Nil for other formats.
    init?(signature: [UInt8]) {
        if signature.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if signature.starts(with: [0x49, 0x49, 42, 0]) || signature.starts(with: [0x4D, 0x4D, 0, 42]) {
            self = .tiff
        } else if signature.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if signature.count == 12, signature[4...].elementsEqual("ftypavif".utf8) {
            self = .avif
        } else if signature == JXLMetadata.signature {
            self = .jxl
        } else {
            return nil
        }
    }
}
