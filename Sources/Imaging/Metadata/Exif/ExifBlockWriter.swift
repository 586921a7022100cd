import TIFF

/// Lays out EXIF's directories as a little-endian TIFF structure (TIFF Revision 6.0, section 2).
///
/// The order is fixed: main directory, Exif, GPS, thumbnail directory, thumbnail. Values follow their directory and
/// begin at even offsets.
struct ExifBlockWriter {
    /// In any order, each (directory, tag) once, without pointers to directories, which `bytes` adds.
    var fields: [ExifField]
    /// A complete JPEG for the thumbnail directory.
    var thumbnail: [UInt8]?

    func bytes() -> [UInt8] {
        let photo = entries(.photo)
        let gps = entries(.gps)
        var image = entries(.image)
        if !photo.isEmpty { image.append(.long(.image, .exifIFD, 0)) }
        if !gps.isEmpty { image.append(.long(.image, .gpsIFD, 0)) }
        image.sort { $0.tag < $1.tag }

        let imageOffset = 8
        let photoOffset = imageOffset + Self.byteCount(image)
        let gpsOffset = photoOffset + (photo.isEmpty ? 0 : Self.byteCount(photo))
        let thumbnailOffset = gpsOffset + (gps.isEmpty ? 0 : Self.byteCount(gps))
        image = image.map { field in
            switch field.tag {
            case .exifIFD: .long(.image, field.tag, UInt32(photoOffset))
            case .gpsIFD: .long(.image, field.tag, UInt32(gpsOffset))
            default: field
            }
        }

        var output: [UInt8] = Array("II".utf8) + [42, 0, 8, 0, 0, 0]
        Self.append(image, next: thumbnail == nil ? 0 : thumbnailOffset, to: &output)
        if !photo.isEmpty { Self.append(photo, next: 0, to: &output) }
        if !gps.isEmpty { Self.append(gps, next: 0, to: &output) }
        if let thumbnail { Self.append(thumbnail: thumbnail, to: &output) }
        return output
    }

    private func entries(_ directory: ExifDirectory) -> [ExifField] {
        fields.filter { $0.directory == directory }.sorted { $0.tag < $1.tag }
    }

    private static func append(thumbnail: [UInt8], to output: inout [UInt8]) {
        func directory(streamOffset: Int) -> [ExifField] {
            [
                // 6 is JPEG.
                .short(.image, .compression, 6),
                .rational(.image, .xResolution, 72, 1), .rational(.image, .yResolution, 72, 1),
                .short(.image, .resolutionUnit, 2),
                .long(.image, .jpegInterchangeFormat, UInt32(streamOffset)),
                .long(.image, .jpegInterchangeFormatLength, UInt32(thumbnail.count)),
            ]
        }
        let streamOffset = output.count + byteCount(directory(streamOffset: 0))
        append(directory(streamOffset: streamOffset), next: 0, to: &output)
        output += thumbnail
    }

    /// Bytes of a directory with its values: count, twelve bytes per entry, offset of the next directory, and the
    /// values that do not fit into their entries.
    private static func byteCount(_ fields: [ExifField]) -> Int {
        2 + 12 * fields.count + 4 + fields.reduce(0) { $0 + separateByteCount($1) }
    }

    /// Values of up to four bytes are in the entry itself; others follow the entries, padded to an even size.
    private static func separateByteCount(_ field: ExifField) -> Int {
        field.value.count <= 4 ? 0 : field.value.count + field.value.count % 2
    }

    private static func append(_ fields: [ExifField], next: Int, to output: inout [UInt8]) {
        var valueOffset = output.count + 2 + 12 * fields.count + 4
        var values: [UInt8] = []
        output += ExifField.littleEndian(UInt16(fields.count))
        for field in fields {
            output += ExifField.littleEndian(field.tag.rawValue) + ExifField.littleEndian(field.type.rawValue)
            output += ExifField.littleEndian(UInt32(field.count))
            let size = separateByteCount(field)
            if size == 0 {
                output += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
            } else {
                output += ExifField.littleEndian(UInt32(valueOffset))
                values += field.value + [UInt8](repeating: 0, count: size - field.value.count)
                valueOffset += size
            }
        }
        output += ExifField.littleEndian(UInt32(next)) + values
    }
}
