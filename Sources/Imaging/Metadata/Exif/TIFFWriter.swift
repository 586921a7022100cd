/// Lays out EXIF's directories as a little-endian TIFF structure (TIFF 6.0, section 2).
///
/// The order is fixed: main directory, Exif, GPS, thumbnail directory, thumbnail; values follow their directory and
/// begin at even offsets.
struct TIFFWriter {
    /// In any order; each (directory, number) once. No pointer tags: they are made here.
    var tags: [ExifTag]
    /// A JPEG stream of its own, for the second directory.
    var thumbnail: [UInt8]?

    func bytes() -> [UInt8] {
        let photo = entries(.photo)
        let gps = entries(.gps)
        var image = entries(.image)
        if !photo.isEmpty { image.append(.long(.image, 0x8769, 0)) }
        if !gps.isEmpty { image.append(.long(.image, 0x8825, 0)) }
        image.sort { $0.number < $1.number }

        let imageAt = 8
        let photoAt = imageAt + Self.size(image)
        let gpsAt = photoAt + (photo.isEmpty ? 0 : Self.size(photo))
        let thumbnailAt = gpsAt + (gps.isEmpty ? 0 : Self.size(gps))
        image = image.map { tag in
            switch tag.number {
            case 0x8769: .long(.image, tag.number, UInt32(photoAt))
            case 0x8825: .long(.image, tag.number, UInt32(gpsAt))
            default: tag
            }
        }

        var output: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
        Self.append(image, next: thumbnail == nil ? 0 : thumbnailAt, to: &output)
        if !photo.isEmpty { Self.append(photo, next: 0, to: &output) }
        if !gps.isEmpty { Self.append(gps, next: 0, to: &output) }
        if let thumbnail { appendThumbnail(thumbnail, to: &output) }
        return output
    }

    private func entries(_ directory: ExifDirectory) -> [ExifTag] {
        tags.filter { $0.directory == directory }.sorted { $0.number < $1.number }
    }

    private func appendThumbnail(_ thumbnail: [UInt8], to output: inout [UInt8]) {
        func directory(at offset: Int) -> [ExifTag] {
            [
                .short(.image, 0x0103, 6),  // Compression: JPEG
                .rational(.image, 0x011A, 72, 1), .rational(.image, 0x011B, 72, 1), .short(.image, 0x0128, 2),
                .long(.image, 0x0201, UInt32(offset)), .long(.image, 0x0202, UInt32(thumbnail.count)),
            ]
        }
        let streamAt = output.count + Self.size(directory(at: 0))
        Self.append(directory(at: streamAt), next: 0, to: &output)
        output += thumbnail
    }

    /// Bytes of a directory with its values: count, twelve bytes an entry, offset of the next, long values.
    private static func size(_ tags: [ExifTag]) -> Int {
        2 + 12 * tags.count + 4 + tags.reduce(0) { $0 + longValueSize($1) }
    }

    /// Values of up to four bytes stand in the entry itself; the others take an even number of bytes.
    private static func longValueSize(_ tag: ExifTag) -> Int {
        tag.value.count <= 4 ? 0 : tag.value.count + tag.value.count % 2
    }

    private static func append(_ tags: [ExifTag], next: Int, to output: inout [UInt8]) {
        var valueAt = output.count + 2 + 12 * tags.count + 4
        var values: [UInt8] = []
        output += ExifTag.littleEndian(UInt16(tags.count))
        for tag in tags {
            output += ExifTag.littleEndian(tag.number) + ExifTag.littleEndian(tag.type.rawValue)
            output += ExifTag.littleEndian(UInt32(tag.count))
            let size = longValueSize(tag)
            if size == 0 {
                output += tag.value + [UInt8](repeating: 0, count: 4 - tag.value.count)
            } else {
                output += ExifTag.littleEndian(UInt32(valueAt))
                values += tag.value + [UInt8](repeating: 0, count: size - tag.value.count)
                valueAt += size
            }
        }
        output += ExifTag.littleEndian(UInt32(next)) + values
    }
}
