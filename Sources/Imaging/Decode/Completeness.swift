import CLibRaw
import Pixels

extension Frame {
    /// Makes sure that the file holds all it speaks of: LibRaw fills what it cannot read with whatever lay in memory.
    func checkComplete() throws(DecodeError) {
        let cut = DecodeError.corrupt("The file ends before its samples do.")
        if let chunks = rawChunks {
            guard chunks.allSatisfy({ ByteReader(bytes: bytes, littleEndian: true).has($0.lowerBound, $0.count) })
            else {
                throw cut
            }
        }
        if let heap = CIFFFile(bytes), !heap.isWhole { throw cut }
        guard containerIsWhole(bytes) else { throw cut }
    }

    /// Where the samples lie, by the file's own directory.
    private var rawChunks: [Range<Int>]? { (dng?.raw ?? rawDirectory)?.chunks }
}

extension TIFFDirectory {
    /// Strips or tiles as ranges of the file; nil where none are stated.
    var chunks: [Range<Int>]? {
        for (offsets, counts) in [(324, 325), (273, 279)] {
            guard let starts = integers(offsets), let lengths = integers(counts), starts.count == lengths.count else {
                continue
            }
            // Panasonic writes an offset of all ones where another field holds the true one.
            return zip(starts, lengths).filter { $0.0 != 0xffff_ffff }.map { $0..<$0 + $1 }
        }
        return nil
    }
}

/// Checks what containers other than TIFF and CIFF say of their own length; true for those that say nothing.
func containerIsWhole(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let reader = ByteReader(bytes: bytes, littleEndian: false)
    if reader.starts(with: "FUJIFILMCCD-RAW") {
        // Offset and length of the preview, of the directory and of the samples.
        return [84, 92, 100].allSatisfy { place in
            guard let offset = reader.long(place), let length = reader.long(place + 4) else { return false }
            return reader.has(offset, length)
        }
    }
    if reader.starts(with: "ftyp", at: 4) { return boxesAreWhole(reader) }
    return true
}

/// An ISO base media file (ISO/IEC 14496-12), such as CR3, is boxes from end to end.
private func boxesAreWhole(_ reader: ByteReader) -> Bool {
    var offset = 0
    while offset < reader.count {
        guard let short = reader.long(offset) else { return false }
        let length: Int
        switch short {
        case 0: return true
        case 1:
            guard let long = reader.quad(offset + 8), long < UInt64(Int.max) else { return false }
            length = Int(long)
        default: length = short
        }
        guard length >= 8, reader.has(offset, length) else { return false }
        offset += length
    }
    return true
}
