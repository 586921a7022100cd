import Metadata

/// The directories of a TIFF file (TIFF Revision 6.0, Adobe 1992): read with every offset checked, because LibRaw's own
/// reading believes what it finds.
struct TIFFFile {
    let reader: ByteReader
    /// The main chain, each directory followed by its sub-directories: the order LibRaw counts frames in.
    private(set) var directories: [TIFFDirectory] = []
    /// False where a directory or its table lies outside the file.
    private(set) var isWhole = true

    private static let mostDirectories = 64
    private static let maxEntries = 2048

    /// Nil where the header is not TIFF's. Cameras write magic numbers of their own, so that is not looked at.
    init?(_ bytes: UnsafeRawBufferPointer) {
        var reader = ByteReader(bytes: bytes, littleEndian: true)
        if reader.starts(with: "MM") {
            reader.littleEndian = false
        } else if !reader.starts(with: "II") {
            return nil
        }
        // Canon's CRW begins likewise.
        guard let first = reader.long(4), !reader.starts(with: "HEAPCCDR", at: 6) else { return nil }
        self.reader = reader
        var seen: Set<Int> = []
        readChain(from: first, seen: &seen)
    }

    private mutating func readChain(from first: Int, seen: inout Set<Int>) {
        var offset = first
        while offset != 0 {
            guard let directory = readDirectory(at: offset, depth: 0, seen: &seen) else { return }
            guard let next = reader.long(directory.nextOffset) else {
                isWhole = false
                return
            }
            offset = next
        }
    }

    /// Takes a directory and its sub-directories in.
    ///
    /// - Returns: nil where it was read before, is one too many, or lies outside the file.
    @discardableResult
    private mutating func readDirectory(at offset: Int, depth: Int, seen: inout Set<Int>) -> TIFFDirectory? {
        guard directories.count < Self.mostDirectories, depth < 4, seen.insert(offset).inserted else { return nil }
        guard let directory = TIFFDirectory(reader, at: offset, maxEntries: Self.maxEntries) else {
            isWhole = false
            return nil
        }
        directories.append(directory)
        for child in directory.integers(330) ?? [] { readDirectory(at: child, depth: depth + 1, seen: &seen) }
        return directory
    }
}

/// One directory; values are read when they are asked for.
struct TIFFDirectory {
    private let reader: ByteReader
    private var entries: [Int: Entry] = [:]
    /// Fields of an unknown type or with a value outside the file.
    private(set) var unreadable: Set<Int> = []
    /// How many of them are not merely empty.
    private(set) var brokenCount = 0
    let nextOffset: Int

    private struct Entry {
        let type: ExifType
        let count: Int
        /// Where the value starts; checked to end inside the file.
        let offset: Int
    }

    init?(_ reader: ByteReader, at offset: Int, maxEntries: Int) {
        guard let count = reader.word(offset), count > 0, count <= maxEntries, reader.has(offset + 2, count * 12 + 4)
        else { return nil }
        self.reader = reader
        nextOffset = offset + 2 + count * 12
        for index in 0..<count { addEntry(at: offset + 2 + index * 12) }
    }

    private mutating func addEntry(at place: Int) {
        guard let tag = reader.word(place), entries[tag] == nil else { return }
        guard let code = reader.word(place + 2), let count = reader.long(place + 4) else { return }
        guard count > 0, let type = ExifType(tiffType: code) else {
            unreadable.insert(tag)
            if count > 0 { brokenCount += 1 }
            return
        }
        let length = count * type.byteCount
        guard let offset = length <= 4 ? place + 8 : reader.long(place + 8), reader.has(offset, length) else {
            unreadable.insert(tag)
            brokenCount += 1
            return
        }
        entries[tag] = Entry(type: type, count: count, offset: offset)
    }

    var isLittleEndian: Bool { reader.littleEndian }

    func has(_ tag: Int) -> Bool { entries[tag] != nil }

    /// How many values a field has, 0 where it is absent.
    func count(_ tag: Int) -> Int { entries[tag]?.count ?? 0 }

    func integer(_ tag: Int) -> Int? { integers(tag)?.first }

    /// Whole numbers of a field; nil where it is absent or of another type.
    func integers(_ tag: Int) -> [Int]? {
        guard let entry = entries[tag] else { return nil }
        switch entry.type {
        case .byte, .undefined: return (0..<entry.count).compactMap { reader.byte(entry.offset + $0).map { Int($0) } }
        case .short: return (0..<entry.count).compactMap { reader.word(entry.offset + 2 * $0) }
        case .long: return (0..<entry.count).compactMap { reader.long(entry.offset + 4 * $0) }
        default: return nil
        }
    }

    /// Numbers of a field, whatever its type; not finite where a fraction's lower part is 0.
    func reals(_ tag: Int) -> [Double]? {
        guard let entry = entries[tag] else { return nil }
        return (0..<entry.count).compactMap { real(entry.type, entry.offset + entry.type.byteCount * $0) }
    }

    private func real(_ type: ExifType, _ offset: Int) -> Double? {
        switch type {
        case .byte, .undefined, .ascii: reader.byte(offset).map { Double($0) }
        case .signedByte: reader.byte(offset).map { Double(Int8(bitPattern: $0)) }
        case .short: reader.word(offset).map { Double($0) }
        case .signedShort: reader.word(offset).map { Double(Int16(truncatingIfNeeded: $0)) }
        case .long: reader.long(offset).map { Double($0) }
        case .signedLong: reader.long(offset).map { Double(Int32(truncatingIfNeeded: $0)) }
        case .rational: fraction(offset) { Double($0) }
        case .signedRational: fraction(offset) { Double(Int32(truncatingIfNeeded: $0)) }
        case .float: reader.long(offset).map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
        case .double: reader.quad(offset).map { Double(bitPattern: $0) }
        }
    }

    private func fraction(_ offset: Int, _ number: (Int) -> Double) -> Double? {
        guard let upper = reader.long(offset), let lower = reader.long(offset + 4) else { return nil }
        return number(upper) / number(lower)
    }

    /// Text without what follows its first zero.
    func text(_ tag: Int) -> [UInt8]? {
        guard let entry = entries[tag], entry.type == .ascii || entry.type == .byte else { return nil }
        return (0..<entry.count).compactMap { reader.byte(entry.offset + $0) }.prefix { $0 != 0 } + []
    }
}
