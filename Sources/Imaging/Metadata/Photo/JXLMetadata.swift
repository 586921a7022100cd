import Manifests

/// Reads the boxes (ISO/IEC 18181-2) and the size (18181-1, annex D) of an untrusted JPEG XL.
struct JXLMetadata {
    /// The `JXL ` box, the first one of a file in the container format.
    static let signature: [UInt8] = [0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]

    private let photo: PhotoBytes
    private let boxes: [FileBox]

    init(_ photo: PhotoBytes) {
        self.photo = photo
        boxes = FileBox.all(photo)
    }

    /// The packet of the first `xml ` box.
    ///
    /// - Throws: `noPacket` if it is missing or compressed (`brob`); `notAPhoto` if the box is truncated; `tooLarge`.
    func xmpPacket() throws(XMPError) -> [UInt8] {
        guard let box = boxes.first(where: { $0.isOf("xml ") }), let byteCount = box.byteCount else { throw .noPacket }
        let count = byteCount - box.headBytes
        guard count <= UInt64(PacketValidation.byteLimit) else {
            throw .tooLarge(bytes: Int(clamping: count), limit: PacketValidation.byteLimit)
        }
        guard let packet = box.contents(photo, limit: PacketValidation.byteLimit) else { throw .notAPhoto }
        return packet
    }

    /// The TIFF structure of the `Exif` box; nil if there is none.
    var exifBlock: [UInt8]? {
        boxes.first { $0.isOf("Exif") }?.contents(photo, limit: RenditionExif.byteLimit).flatMap(FileBox.exifBlock)
    }

    /// Whether the file has a complete codestream and ends with its last box.
    ///
    /// - Parameter byteCount: the file's size.
    func isWhole(byteCount: UInt64) -> Bool {
        let parts = boxes.filter { $0.isOf("jxlc") || $0.isOf("jxlp") }
        guard let last = parts.last, FileBox.endTheFile(boxes, byteCount: byteCount) else { return false }
        // The highest bit of a part's number marks the last part.
        return last.isOf("jxlc") || photo.read(last.offset + last.headBytes, 1).map { $0[0] & 0x80 != 0 } == true
    }

    /// Width and height as stored; nil if the codestream does not state them.
    var size: (width: Int, height: Int)? {
        guard let box = boxes.first(where: { $0.isOf("jxlc") || $0.isOf("jxlp") }) else { return nil }
        // A part begins with its number.
        let start = box.offset + box.headBytes + (box.isOf("jxlp") ? 4 : 0)
        guard let head = photo.read(start, 12), head.starts(with: [0xFF, 0x0A]) else { return nil }
        var bits = BitField(head.dropFirst(2).reversed().reduce(0) { $0 << 8 | UInt128($1) })
        let isSmall = bits.next(1) == 1
        let height = bits.side(isSmall: isSmall)
        let ratio = bits.next(3)
        if ratio == 0 { return (bits.side(isSmall: isSmall), height) }
        let (width, to) = [(1, 1), (12, 10), (4, 3), (3, 2), (16, 9), (5, 4), (2, 1)][ratio - 1]
        return (height * width / to, height)
    }

    /// The first bits of a codestream, lowest first.
    private struct BitField {
        private var bits: UInt128

        init(_ bits: UInt128) { self.bits = bits }

        mutating func next(_ count: Int) -> Int {
            defer { bits >>= count }
            return Int(bits & (1 << count - 1))
        }

        /// A width or height: a multiple of eight up to 256, or a number whose length is in its first two bits.
        mutating func side(isSmall: Bool) -> Int {
            if isSmall { return 8 * (next(5) + 1) }
            return next([9, 13, 18, 30][next(2)]) + 1
        }
    }
}
