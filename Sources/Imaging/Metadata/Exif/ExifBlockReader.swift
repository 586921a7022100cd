internal import TIFF

/// Reads the directories of an untrusted EXIF block (TIFF Revision 6.0, section 2).
///
/// Every offset and count is checked against the block, and each directory is read once. Invalid entries are skipped: a
/// damaged block gives fewer fields, never an error.
enum ExifBlockReader {
    /// Real directories have a few dozen entries.
    private static let maxEntries = 512

    /// The fields of the main, Exif and GPS directories; nil without a TIFF header.
    static func fields(of block: [UInt8]) -> [ExifField]? {
        unsafe block.withUnsafeBytes { bytes in
            let reader: ByteReader
            if block.starts(with: [0x49, 0x49, 42, 0]) {
                reader = unsafe ByteReader(bytes, .littleEndian)
            } else if block.starts(with: [0x4D, 0x4D, 0, 42]) {
                reader = unsafe ByteReader(bytes, .bigEndian)
            } else {
                return nil
            }
            return fields(in: reader)
        }
    }

    private static func fields(in reader: ByteReader) -> [ExifField] {
        guard let first = reader.uint32(4) else { return [] }
        var result = directory(at: Int(first), kind: .image, in: reader)
        for (pointer, kind) in [(TIFFTag.exifIFD, ExifDirectory.photo), (.gpsIFD, .gps)] {
            let field = result.first { $0.directory == .image && $0.tag == pointer }
            guard let value = field?.integers?.first, let offset = Int(exactly: value) else { continue }
            result += directory(at: offset, kind: kind, in: reader)
        }
        return result
    }

    private static func directory(at offset: Int, kind: ExifDirectory, in reader: ByteReader) -> [ExifField] {
        guard let count = reader.uint16(offset) else { return [] }
        return (0..<min(Int(count), maxEntries)).compactMap {
            field(at: offset + 2 + 12 * $0, directory: kind, in: reader)
        }
    }

    private static func field(at offset: Int, directory: ExifDirectory, in reader: ByteReader) -> ExifField? {
        guard let tag = reader.uint16(offset), let code = reader.uint16(offset + 2),
            let type = FieldType(rawValue: code), let count = reader.uint32(offset + 4)
        else { return nil }
        let byteCount = Int(count) * type.byteCount
        // Values of up to four bytes are in the entry itself.
        guard let start = byteCount <= 4 ? offset + 8 : reader.uint32(offset + 8).map({ Int($0) }),
            let value = reader.array(offset: start, length: byteCount)
        else { return nil }
        return ExifField(
            directory: directory, tag: TIFFTag(rawValue: tag), type: type,
            value: reader.byteOrder == .bigEndian ? type.littleEndian(bigEndian: value) : value)
    }
}

extension ExifField {
    /// The EXIF fields of a JPEG; empty if it has none, is damaged, or is not a JPEG.
    ///
    /// - Parameter prefix: the file's first bytes; `JPEGMetadata.prefixByteCount` always suffice.
    public static func read(fromJPEG prefix: [UInt8]) -> [ExifField] {
        JPEGMetadata.exifBlock(in: prefix).flatMap(ExifBlockReader.fields) ?? []
    }
}
