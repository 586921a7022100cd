import PictureFormat
import Pixels

/// Canon's heap of records, as in CRW files (Canon, "CIFF Specification on Image Data File", 1.0 rev. 4, 1997).
struct CIFFFile {
    private let reader: ByteReader
    private(set) var pictureSize: PixelSize?
    /// False where a record lies outside the file.
    private(set) var isWhole = true

    /// Nil where the file is not of this kind.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let reader = ByteReader(bytes: bytes, littleEndian: true)
        guard reader.starts(with: "II"), reader.starts(with: "HEAPCCDR", at: 6), let start = reader.long(2) else {
            return nil
        }
        self.reader = reader
        readHeap(from: start, to: reader.count, depth: 0)
    }

    /// A heap ends with the offset of its table of records.
    private mutating func readHeap(from start: Int, to end: Int, depth: Int) {
        guard depth < 8, end - start >= 4, let offset = reader.long(end - 4), offset <= end - start - 4,
            let count = reader.word(start + offset), start + offset + 2 + count * 10 <= end
        else {
            isWhole = false
            return
        }
        for index in 0..<count {
            readRecord(at: start + offset + 2 + index * 10, heap: start, end: end, depth: depth)
        }
    }

    private mutating func readRecord(at place: Int, heap: Int, end: Int, depth: Int) {
        guard let type = reader.word(place) else { return }
        // Short values stand in the record itself.
        guard type & 0xc000 == 0, let length = reader.long(place + 2), let offset = reader.long(place + 6) else {
            return
        }
        guard offset >= 0, heap + offset + length <= end else {
            isWhole = false
            return
        }
        switch type {
        case 0x2807...0x2fff, 0x3000...0x3fff:
            readHeap(from: heap + offset, to: heap + offset + length, depth: depth + 1)
        case 0x1810:
            guard let width = reader.long(heap + offset), let height = reader.long(heap + offset + 4) else { return }
            pictureSize = PixelSize(width: width, height: height)
        default: break
        }
    }
}
