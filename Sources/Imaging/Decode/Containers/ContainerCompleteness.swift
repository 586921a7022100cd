import TIFF

/// Whether a container other than TIFF and CIFF is as long as it states; true if it states no length.
func containerIsWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = unsafe ByteReader(bytes, .bigEndian)
    if reader.starts(with: "FUJIFILMCCD-RAW") {
        // Offset and length of the preview, the directory and the samples.
        return [84, 92, 100].allSatisfy { position in
            guard let offset = reader.offset32(position), let length = reader.offset32(position + 4) else {
                return false
            }
            return reader.contains(offset: offset, length: length)
        }
    }
    if reader.starts(with: "ftyp", at: 4) { return boxesAreWhole(reader) }
    return true
}

/// An ISO base media file (ISO/IEC 14496-12), such as a CR3, is a sequence of boxes. Accepts a remainder shorter than a
/// box header, because it holds no samples.
private func boxesAreWhole(_ reader: ByteReader) -> Bool {
    var offset = 0
    while offset <= reader.count - 8 {
        guard let stated = reader.offset32(offset) else { return false }
        let length: Int
        switch stated {
        // The box extends to the end of the file.
        case 0: return true
        // A 64-bit length follows.
        case 1:
            guard let long = reader.uint64(offset + 8).flatMap({ Int(exactly: $0) }) else { return false }
            length = long
        default: length = stated
        }
        guard length >= 8, reader.contains(offset: offset, length: length) else { return false }
        offset += length
    }
    return true
}
