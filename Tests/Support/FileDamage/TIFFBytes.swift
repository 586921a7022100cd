/// A possibly invalid TIFF file whose numbers can be changed in place: no number in it is trusted.
struct TIFFBytes {
    private static let maxDirectories = 64

    /// A field of a directory, decoded from its twelve bytes.
    struct Field {
        let offset: Int
        let tag: Int
        let type: Int
        let count: Int
    }

    var bytes: [UInt8]
    let isLittleEndian: Bool
    /// Offsets of directories.
    private(set) var directories: [Int] = []
    /// Positions of the offsets of directories.
    private(set) var links = [4]
    private(set) var fields: [Field] = []

    /// Nil without a TIFF header, and without fields.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 8, bytes[0] == bytes[1], [0x49, 0x4d].contains(bytes[0]) else { return nil }
        self.bytes = bytes
        isLittleEndian = bytes[0] == 0x49
        var index = 0
        while index < links.count, directories.count < Self.maxDirectories {
            if let offset = number(at: links[index], 4), !directories.contains(offset) { addDirectory(at: offset) }
            index += 1
        }
        guard !fields.isEmpty else { return nil }
    }

    private mutating func addDirectory(at offset: Int) {
        guard let count = number(at: offset, 2), (1...512).contains(count), offset + 6 + 12 * count <= bytes.count
        else { return }
        directories.append(offset)
        for start in stride(from: offset + 2, to: offset + 2 + 12 * count, by: 12) {
            guard let tag = number(at: start, 2), let type = number(at: start + 2, 2),
                let count = number(at: start + 4, 4)
            else { return }
            let field = Field(offset: start, tag: tag, type: type, count: count)
            fields.append(field)
            // Sub-directories, EXIF and GPS.
            if [330, 34665, 34853].contains(tag) { links += valueOffsets(of: field).prefix(16) }
        }
        links.append(offset + 2 + 12 * count)
    }

    /// Offsets of the values of a field of bytes, 16-bit or 32-bit numbers; empty if they lie outside the file.
    func valueOffsets(of field: Field) -> [Int] {
        let width = width(of: field)
        guard field.count < bytes.count else { return [] }
        let length = field.count * width
        let start = length <= 4 ? field.offset + 8 : number(at: field.offset + 8, 4) ?? 0
        guard start > 0, start + length <= bytes.count else { return [] }
        return Array(stride(from: start, to: start + length, by: width))
    }

    /// Bytes of one value, if it is an integer.
    func width(of field: Field) -> Int {
        switch field.type {
        case 3, 8: 2
        case 4, 9, 5, 10, 13: 4
        default: 1
        }
    }

    /// A number of 1, 2 or 4 bytes; nil beyond the end of the file.
    func number(at offset: Int, _ length: Int) -> Int? {
        guard offset >= 0, offset + length <= bytes.count else { return nil }
        return (0..<length).reduce(0) { $0 << 8 | Int(bytes[offset + (isLittleEndian ? length - 1 - $1 : $1)]) }
    }

    /// Writes a number's lowest bytes, unless they exceed the file.
    mutating func write(_ value: Int, at offset: Int, _ length: Int) {
        guard offset >= 0, offset + length <= bytes.count else { return }
        for index in 0..<length {
            let shift = 8 * (isLittleEndian ? index : length - 1 - index)
            bytes[offset + index] = UInt8(truncatingIfNeeded: value >> shift)
        }
    }
}
