import TIFF

/// Whether a container that is neither TIFF nor CIFF is as long as it says; true for those that say nothing.
func containerIsWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = unsafe ByteReader(bytes, .bigEndian)
    if reader.starts(with: "FUJIFILMCCD-RAW") {
        // Offset and length of the preview, of the directory and of the samples.
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

/// An ISO base media file (ISO/IEC 14496-12), such as a CR3, consists of boxes from end to end. Fewer bytes than a box begins with
/// may come behind them: samples are in none of those.
private func boxesAreWhole(_ reader: ByteReader) -> Bool {
    var offset = 0
    while offset <= reader.count - 8 {
        guard let stated = reader.offset32(offset) else { return false }
        let length: Int
        switch stated {
        // Up to the end of the file.
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
