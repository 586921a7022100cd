/// Reads the directories of an EXIF block that may hold anything (TIFF 6.0, section 2).
///
/// Every offset and count is checked against the block, each directory is read once, and what does not fit is left
/// out: damaged blocks give fewer tags, never an error.
struct TIFFReader {
    /// Real directories have some dozens of entries.
    private static let entryLimit = 512

    private let bytes: ArraySlice<UInt8>
    private let isBigEndian: Bool

    /// Nil for bytes that do not begin as TIFF does.
    init?(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        if bytes.starts(with: [0x49, 0x49, 42, 0]) {
            isBigEndian = false
        } else if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
            isBigEndian = true
        } else {
            return nil
        }
    }

    /// The tags of the main, Exif and GPS directories, values in little-endian order.
    func tags() -> [ExifTag] {
        guard let first = number(at: 4, byteCount: 4) else { return [] }
        var result = directory(at: first, as: .image)
        for (pointer, kind) in [(0x8769, ExifDirectory.photo), (0x8825, .gps)] {
            let tag = result.first { $0.directory == .image && $0.number == UInt16(pointer) }
            guard let offset = tag?.integers?.first, let start = Int(exactly: offset) else { continue }
            result += directory(at: start, as: kind)
        }
        return result
    }

    private func directory(at start: Int, as kind: ExifDirectory) -> [ExifTag] {
        guard let count = number(at: start, byteCount: 2) else { return [] }
        return (0..<min(count, Self.entryLimit)).compactMap { entry(at: start + 2 + 12 * $0, in: kind) }
    }

    private func entry(at place: Int, in kind: ExifDirectory) -> ExifTag? {
        guard let number = number(at: place, byteCount: 2), let code = self.number(at: place + 2, byteCount: 2),
            let type = ExifType(rawValue: UInt16(code)), let count = self.number(at: place + 4, byteCount: 4)
        else { return nil }
        let byteCount = count * type.byteCount
        guard let start = byteCount <= 4 ? place + 8 : self.number(at: place + 8, byteCount: 4),
            let value = slice(at: start, byteCount: byteCount)
        else { return nil }
        return ExifTag(directory: kind, number: UInt16(number), type: type, value: littleEndian(value, type))
    }

    private func littleEndian(_ value: ArraySlice<UInt8>, _ type: ExifType) -> [UInt8] {
        let isRational = type == .rational || type == .signedRational
        let size = isRational ? 4 : type.byteCount
        guard isBigEndian, size > 1 else { return Array(value) }
        let base = value.startIndex
        return value.indices.map { index in
            let (element, byte) = (index - base).quotientAndRemainder(dividingBy: size)
            return value[base + element * size + size - 1 - byte]
        }
    }

    private func number(at offset: Int, byteCount: Int) -> Int? {
        guard let part = slice(at: offset, byteCount: byteCount) else { return nil }
        return isBigEndian
            ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Nil unless the whole slice is inside the block.
    private func slice(at offset: Int, byteCount: Int) -> ArraySlice<UInt8>? {
        guard offset >= 0, byteCount >= 0, offset <= bytes.count, byteCount <= bytes.count - offset else { return nil }
        return bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + byteCount)]
    }
}

extension ExifTag {
    /// The EXIF tags of a JPEG, values in little-endian order; none for a file without, damaged, or no JPEG.
    ///
    /// - Parameter prefix: the file's first bytes; `JPEGWalker.prefixByteCount` are always enough.
    public static func read(fromJPEG prefix: [UInt8]) -> [ExifTag] {
        var walker = JPEGWalker(prefix)
        while let segment = walker.next() {
            if let block = segment.exif { return TIFFReader(block)?.tags() ?? [] }
        }
        return []
    }
}
