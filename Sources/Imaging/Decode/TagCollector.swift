import Metadata

/// Gathers what LibRaw's parsers meet while a file is being identified. Lives for one open, on one thread.
final class TagCollector {
    private let bytes: UnsafeRawBufferPointer
    private(set) var met: [MetTag] = []
    private var keptBytes = 0

    /// A tag with the directory as LibRaw numbers it.
    struct MetTag {
        /// 0 the Exif IFD, 2 Kodak's, 3 Panasonic's, 4 interoperability, 5 GPS, 16 × (n + 1) the nth TIFF directory.
        let directory: Int
        let number: UInt16
        let type: ExifType
        let value: [UInt8]
    }

    /// No tag worth keeping is larger: an EXIF block has 64 KiB as a whole.
    static let largestValue = 65_533
    /// A damaged directory can name the same bytes again and again.
    static let mostBytes = 4 << 20
    static let mostTags = 20_000

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    func collect(tag: Int, type: Int, count: Int, littleEndian: Bool, offset: Int) {
        guard let type = ExifType(tiffType: type), count > 0, count <= Self.largestValue, met.count < Self.mostTags
        else { return }
        let byteCount = count * type.byteCount
        guard byteCount <= Self.largestValue, keptBytes + byteCount <= Self.mostBytes, offset >= 0,
            offset <= bytes.count - byteCount
        else { return }
        let value = [UInt8](UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + byteCount]))
        keptBytes += byteCount
        met.append(
            MetTag(
                directory: tag >> 16, number: UInt16(truncatingIfNeeded: tag), type: type,
                value: littleEndian ? value : type.reversed(value)))
    }
}

/// Written as a free function: C calls it without a context of Swift's.
func collectTag(
    context: UnsafeMutableRawPointer?, tag: Int32, type: Int32, count: Int32, byteOrder: UInt32, offset: Int64
) {
    guard let context else { return }
    let collector = Unmanaged<TagCollector>.fromOpaque(context).takeUnretainedValue()
    collector.collect(
        tag: Int(tag), type: Int(type), count: Int(count), littleEndian: byteOrder & 0xffff == 0x4949,
        offset: Int(offset))
}

extension ExifType {
    /// TIFF's type 13 (a directory's offset) is a long.
    init?(tiffType: Int) {
        guard let small = UInt16(exactly: tiffType), let type = ExifType(rawValue: small == 13 ? 4 : small) else {
            return nil
        }
        self = type
    }

    /// Bytes that turn round with the byte order: a rational is two longs.
    var unitBytes: Int {
        switch self {
        case .rational, .signedRational: 4
        default: byteCount
        }
    }

    func reversed(_ value: [UInt8]) -> [UInt8] {
        let unit = unitBytes
        guard unit > 1 else { return value }
        var turned = value
        for start in stride(from: 0, to: value.count - unit + 1, by: unit) {
            turned[start..<start + unit].reverse()
        }
        return turned
    }
}
