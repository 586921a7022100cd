/// A top-level box of an untrusted file (ISO/IEC 14496-12, 4.2). Its contents are not parsed.
struct FileBox {
    /// Limit against malicious files. Real files have five to ten boxes.
    private static let maxCount = 64

    /// Four characters.
    let type: [UInt8]
    /// Offset of its header in the file.
    let offset: UInt64
    /// Header size in bytes: 8 or 16.
    let headBytes: UInt64
    /// Size including the header; nil if the box extends to the end of the file or its size is invalid.
    let byteCount: UInt64?

    /// All boxes, at most `maxCount`, up to the first of unknown size.
    static func all(_ photo: PhotoBytes) -> [FileBox] {
        var boxes: [FileBox] = []
        var offset: UInt64 = 0
        while boxes.count < maxCount, let head = photo.read(offset, 8) {
            var reader = BoxReader(head[...])
            guard let short = reader.number(4) else { break }
            let type = Array(reader.rest)
            var (size, headBytes): (UInt64?, UInt64) = (short, 8)
            if short == 0 { size = nil }
            if short == 1 {
                guard let bytes = photo.read(offset + 8, 8) else { break }
                var long = BoxReader(bytes[...])
                (size, headBytes) = (long.number(8), 16)
            }
            if let known = size, known < headBytes || known >= 1 << 62 { break }
            boxes.append(FileBox(type: type, offset: offset, headBytes: headBytes, byteCount: size))
            guard let size else { break }
            offset += size
        }
        return boxes
    }

    /// Whether the last box ends at the end of the file.
    static func endTheFile(_ boxes: [FileBox], byteCount: UInt64) -> Bool {
        guard let last = boxes.last, let size = last.byteCount else { return false }
        return last.offset + size == byteCount
    }

    /// The TIFF structure of an EXIF item or box, which begins with the structure's offset (23008-12, A.2.1).
    static func exifBlock(_ contents: [UInt8]) -> [UInt8]? {
        var reader = BoxReader(contents[...])
        guard let place = reader.number(4).flatMap({ Int(exactly: $0) }), place <= reader.rest.count else { return nil }
        return Array(reader.rest.dropFirst(place))
    }

    func isOf(_ type: StaticString) -> Bool { type.withUTF8Buffer { unsafe self.type.elementsEqual($0) } }

    /// The contents without the header; nil if they exceed the limit or the file.
    func contents(_ photo: PhotoBytes, limit: Int) -> [UInt8]? {
        guard let byteCount, byteCount - headBytes <= UInt64(limit) else { return nil }
        return photo.read(offset + headBytes, Int(byteCount - headBytes))
    }
}
