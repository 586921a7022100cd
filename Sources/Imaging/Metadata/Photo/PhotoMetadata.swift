public import Manifests
public import PictureFormat

/// Finds the XMP packet and the size of a photo: a JPEG, a TIFF, a PNG, an AVIF or a JPEG XL. The bytes may be anything.
public enum PhotoMetadata {
    /// The XMP packet.
    ///
    /// - Throws: `notAPhoto` where the bytes are of none of these kinds or end before the packet, `noPacket` where there is
    ///   none.
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

    /// The EXIF fields. None for a photo that has none, and for bytes that are no photo or damaged.
    public static func exif(in photo: PhotoBytes) -> [ExifField] {
        let block: [UInt8]?
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .jpeg: block = JPEGMetadata.exifBlock(in: photo.prefix(JPEGMetadata.prefixByteCount))
        // The directories and their values are before the pixels.
        case .tiff: block = photo.prefix(JPEGMetadata.prefixByteCount)
        case .png: block = PNGMetadata(photo).exifBlock
        case .avif: block = (try? AVIFMetadata(photo))?.exifBlock
        case .jxl: block = JXLMetadata(photo).exifBlock
        case nil: block = nil
        }
        return block.flatMap(ExifBlockReader.fields) ?? []
    }

    /// Where the pixels of a TIFF or PNG that Rawmill wrote are: after all that the photo says of itself, up to the end of the
    /// file. Nil for any other file, and for one that is not whole.
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

    /// Whether a TIFF, PNG, AVIF or JPEG XL that Rawmill wrote ends where it should.
    ///
    /// - Parameter byteCount: the file's size.
    public static func isWhole(_ photo: PhotoBytes, byteCount: UInt64) -> Bool {
        switch PhotoFormat(signature: photo.prefix(PhotoFormat.signatureBytes)) {
        case .avif: (try? AVIFMetadata(photo))?.isWhole(byteCount: byteCount) == true
        case .jxl: JXLMetadata(photo).isWhole(byteCount: byteCount)
        case .jpeg, .tiff, .png, nil: pixels(of: photo, byteCount: byteCount) != nil
        }
    }

    /// Width and height in pixels, each 1 to 65,535; nil if the bytes do not say.
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
    /// Bytes that tell the formats apart.
    static let signatureBytes = 12

    /// Nil for the beginning of any other file.
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
