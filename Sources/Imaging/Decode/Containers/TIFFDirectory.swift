import TIFF

/// A TIFF directory. Values are read on demand.
struct TIFFDirectory {
    private static let maxEntries = 2048

    private let reader: ByteReader
    private var entries: [TIFFTag: Entry] = [:]
    /// Fields of an unknown type, or with a value outside the file.
    private(set) var unreadable: Set<TIFFTag> = []
    /// Number of unreadable fields that are not empty.
    private(set) var brokenCount = 0
    /// Position of the next directory's offset.
    let nextOffset: Int

    private struct Entry {
        let type: FieldType
        let count: Int
        /// Start of the value, which ends inside the file.
        let offset: Int
    }

    /// Reads a directory; nil if its table is empty, too long or outside the file.
    init?(_ reader: ByteReader, at offset: Int) {
        guard let count = reader.count16(offset), (1...Self.maxEntries).contains(count),
            reader.contains(offset: offset + 2, length: count * 12 + 4)
        else { return nil }
        self.reader = reader
        nextOffset = offset + 2 + count * 12
        for index in 0..<count { addEntry(at: offset + 2 + index * 12) }
    }

    /// The first field of a tag wins.
    private mutating func addEntry(at offset: Int) {
        guard let tag = reader.uint16(offset).map({ TIFFTag(rawValue: $0) }), entries[tag] == nil,
            let code = reader.count16(offset + 2), let count = reader.offset32(offset + 4)
        else { return }
        guard count > 0, let type = FieldType(tiffType: code) else {
            unreadable.insert(tag)
            if count > 0 { brokenCount += 1 }
            return
        }
        let length = count * type.byteCount
        guard let start = length <= 4 ? offset + 8 : reader.offset32(offset + 8),
            reader.contains(offset: start, length: length)
        else {
            unreadable.insert(tag)
            brokenCount += 1
            return
        }
        entries[tag] = Entry(type: type, count: count, offset: start)
    }

    var isLittleEndian: Bool { reader.byteOrder == .littleEndian }

    func has(_ tag: TIFFTag) -> Bool { entries[tag] != nil }

    /// Positions of the two bytes of a field's first 16 bits; nil if the field is absent or has smaller numbers.
    func lowBytes(of tag: TIFFTag) -> (low: Int, high: Int)? {
        guard let entry = entries[tag], entry.type == .short || entry.type == .long else { return nil }
        guard !isLittleEndian else { return (entry.offset, entry.offset + 1) }
        let end = entry.offset + entry.type.byteCount
        return (end - 1, end - 2)
    }

    func integer(_ tag: TIFFTag) -> Int? { integers(tag)?.first }

    /// Nil if the field is absent or of another type.
    func integers(_ tag: TIFFTag) -> [Int]? {
        guard let entry = entries[tag] else { return nil }
        let offsets = (0..<entry.count).lazy.map { entry.offset + entry.type.byteCount * $0 }
        switch entry.type {
        case .byte, .undefined: return offsets.compactMap { reader.uint8($0).map { Int($0) } }
        case .short: return offsets.compactMap { reader.count16($0) }
        case .long: return offsets.compactMap { reader.offset32($0) }
        default: return nil
        }
    }

    /// Numbers of any numeric type. A fraction over 0 is not finite.
    func reals(_ tag: TIFFTag) -> [Double]? {
        guard let entry = entries[tag] else { return nil }
        return (0..<entry.count).compactMap { real(entry.type, entry.offset + entry.type.byteCount * $0) }
    }

    private func real(_ type: FieldType, _ offset: Int) -> Double? {
        switch type {
        case .byte, .undefined, .ascii: reader.uint8(offset).map { Double($0) }
        case .signedByte: reader.uint8(offset).map { Double(Int8(bitPattern: $0)) }
        case .short: reader.uint16(offset).map { Double($0) }
        case .signedShort: reader.uint16(offset).map { Double(Int16(bitPattern: $0)) }
        case .long: reader.uint32(offset).map { Double($0) }
        case .signedLong: reader.uint32(offset).map { Double(Int32(bitPattern: $0)) }
        case .rational: fraction(offset) { Double($0) }
        case .signedRational: fraction(offset) { Double(Int32(bitPattern: $0)) }
        case .float: reader.uint32(offset).map { Double(Float(bitPattern: $0)) }
        case .double: reader.uint64(offset).map { Double(bitPattern: $0) }
        }
    }

    private func fraction(_ offset: Int, _ number: (UInt32) -> Double) -> Double? {
        guard let numerator = reader.uint32(offset), let denominator = reader.uint32(offset + 4) else { return nil }
        return number(numerator) / number(denominator)
    }

    func bytes(_ tag: TIFFTag) -> UnsafeRawBufferPointer? {
        guard let entry = entries[tag] else { return nil }
        return unsafe reader.slice(entry.offset..<entry.offset + entry.count * entry.type.byteCount)
    }

    /// Nil if the field is absent.
    func reader(of tag: TIFFTag) -> ByteReader? {
        unsafe bytes(tag).map { unsafe ByteReader($0, reader.byteOrder) }
    }

    /// The bytes of a text up to the first zero.
    func text(_ tag: TIFFTag) -> [UInt8]? {
        guard let entry = entries[tag], entry.type == .ascii || entry.type == .byte else { return nil }
        return (0..<entry.count).compactMap { reader.uint8(entry.offset + $0) }.prefix { $0 != 0 } + []
    }
}

extension TIFFDirectory {
    /// `none` if the field is absent.
    var compression: Int { integer(.compression) ?? TIFFCompression.none }

    var isSensorPicture: Bool { integer(.photometricInterpretation).map(TIFFPhotometric.sensor.contains) ?? false }

    /// Byte ranges of strips or tiles, which may exceed the file; nil if not stated.
    var chunks: [Range<Int>]? {
        for (offsets, counts) in [
            (TIFFTag.tileOffsets, TIFFTag.tileByteCounts), (.stripOffsets, .stripByteCounts),
        ] {
            guard let starts = integers(offsets), let lengths = integers(counts), starts.count == lengths.count else {
                continue
            }
            // Panasonic writes an offset of all ones if another field holds the real one.
            return zip(starts, lengths).filter { $0.0 != 0xffff_ffff }.map { $0..<$0 + $1 }
        }
        return nil
    }
}
