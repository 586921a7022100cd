import TIFF

/// The value is little-endian.
struct LibRawField {
    let directory: Directory
    let tag: TIFFTag
    let type: FieldType
    let value: [UInt8]

    /// LibRaw's number of a directory: 0 the Exif IFD, 2 Kodak's, 3 Panasonic's, 4 interoperability, 5 GPS, and 16 × (n
    /// + 1) the nth TIFF directory.
    struct Directory: Hashable {
        let number: Int

        static let photo = Directory(number: 0)
        static let panasonic = Directory(number: 3)
        static let interoperability = Directory(number: 4)
        static let gps = Directory(number: 5)

        var isTIFF: Bool { number >= 16 }
    }
}

/// Collects the fields that LibRaw's parsers read while identifying a file. Used for one `open`, on one thread.
final class LibRawFieldCollector {
    /// An EXIF block has at most 64 KiB, so larger fields are useless.
    private static let maxValueBytes = 65_533
    /// Limit for all fields: a damaged directory can name the same bytes repeatedly.
    private static let maxBytes = 4 << 20
    private static let maxFields = 20_000

    private let bytes: ByteReader
    private(set) var fields: [LibRawField] = []
    private var keptBytes = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = unsafe ByteReader(bytes, .littleEndian) }

    fileprivate func collect(tag: Int, type: Int, count: Int, byteOrder: ByteReader.ByteOrder, offset: Int) {
        guard let type = FieldType(tiffType: type), (1...Self.maxValueBytes).contains(count),
            fields.count < Self.maxFields
        else { return }
        let byteCount = count * type.byteCount
        guard byteCount <= Self.maxValueBytes, keptBytes + byteCount <= Self.maxBytes,
            let value = bytes.array(offset: offset, length: byteCount)
        else { return }
        keptBytes += byteCount
        fields.append(
            LibRawField(
                directory: LibRawField.Directory(number: tag >> 16),
                tag: TIFFTag(rawValue: UInt16(truncatingIfNeeded: tag)), type: type,
                value: byteOrder == .littleEndian ? value : type.littleEndian(bigEndian: value)))
    }
}

/// LibRaw's callback. `context` is a collector that outlives `open`.
func collectLibRawField(
    context: UnsafeMutableRawPointer?, tag: Int32, type: Int32, count: Int32, byteOrder: UInt32, offset: Int64
) {
    guard let context = unsafe context else { return }
    let collector = unsafe Unmanaged<LibRawFieldCollector>.fromOpaque(context).takeUnretainedValue()
    collector.collect(
        tag: Int(tag), type: Int(type), count: Int(count),
        byteOrder: byteOrder & 0xffff == 0x4949 ? .littleEndian : .bigEndian, offset: Int(offset))
}
