import Manifests

/// Reads the chunks of an untrusted PNG (W3C, "Portable Network Graphics (PNG) Specification", third edition, section
/// 5; XMP part 3, 1.1.5).
struct PNGMetadata {
    private static let keyword = Array("XML:com.adobe.xmp".utf8) + [0]
    /// Limit against malicious files. Writers divide pixels into chunks of 8 KiB or more.
    private static let maxChunks = 1 << 17

    private let photo: PhotoBytes

    init(_ photo: PhotoBytes) { self.photo = photo }

    /// The packet of the text chunk with XMP's keyword.
    ///
    /// - Throws: `notAPhoto` if the file ends before its last chunk; `noPacket` if there is none, or it is compressed,
    ///   which XMP forbids.
    func xmpPacket() throws(XMPError) -> [UInt8] {
        var offset: UInt64 = 8
        for _ in 0..<Self.maxChunks {
            guard let head = photo.read(offset, 8) else { throw .notAPhoto }
            let length = Self.number(head[..<4])
            switch Array(head[4...]) {
            case Array("IEND".utf8): throw .noPacket
            case Array("iTXt".utf8):
                if let packet = try packet(offset + 8, length) { return packet }
            default: break
            }
            // Length, type and checksum take twelve bytes.
            offset += 12 + UInt64(length)
        }
        throw .noPacket
    }

    private func packet(_ offset: UInt64, _ length: UInt32) throws(XMPError) -> [UInt8]? {
        // Keyword, two compression fields, language, translated keyword.
        let fixed = UInt32(Self.keyword.count) + 2
        guard length >= fixed + 2, let head = photo.read(offset, Self.keyword.count + 2),
            head.starts(with: Self.keyword)
        else { return nil }
        guard length <= fixed + 512 + UInt32(PacketValidation.byteLimit) else {
            throw .tooLarge(bytes: Int(length), limit: PacketValidation.byteLimit)
        }
        guard let text = photo.read(offset + UInt64(fixed), Int(length - fixed)) else { throw .notAPhoto }
        guard head[Self.keyword.count] == 0, let language = text.firstIndex(of: 0),
            let translated = text[(language + 1)...].firstIndex(of: 0)
        else { throw .noPacket }
        return Array(text[(translated + 1)...])
    }

    /// The TIFF structure of the EXIF chunk before the pixels; nil if there is none.
    var exifBlock: [UInt8]? {
        var offset: UInt64 = 8
        for _ in 0..<Self.maxChunks {
            guard let head = photo.read(offset, 8), !head[4...].elementsEqual("IDAT".utf8) else { return nil }
            let length = Self.number(head[..<4])
            if head[4...].elementsEqual("eXIf".utf8) {
                return length <= UInt32(RenditionExif.byteLimit) ? photo.read(offset + 8, Int(length)) : nil
            }
            offset += 12 + UInt64(length)
        }
        return nil
    }

    /// Offset of the first pixel chunk; nil if there is none.
    var pixelStart: UInt64? {
        var offset: UInt64 = 8
        for _ in 0..<Self.maxChunks {
            guard let head = photo.read(offset, 8), !head[4...].elementsEqual("IEND".utf8) else { return nil }
            if head[4...].elementsEqual("IDAT".utf8) { return offset }
            offset += 12 + UInt64(Self.number(head[..<4]))
        }
        return nil
    }

    /// Whether the file ends with the end chunk.
    ///
    /// - Parameter byteCount: the file's size.
    func isWhole(byteCount: UInt64) -> Bool {
        guard byteCount >= 12, let end = photo.read(byteCount - 12, 8) else { return false }
        return end == [0, 0, 0, 0] + Array("IEND".utf8)
    }

    /// Width and height; nil if the file does not begin with a header chunk.
    var size: (width: Int, height: Int)? {
        guard let head = photo.read(8, 16), head[4..<8].elementsEqual("IHDR".utf8) else { return nil }
        return (Int(Self.number(head[8..<12])), Int(Self.number(head[12...])))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
