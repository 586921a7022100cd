import TIFF
import PictureFormat

/// The heap of records in Canon's CRW files (Canon, "CIFF Specification on Image Data File", 1.0 rev. 4, 1997).
struct CIFFFile {
    private static let maxDepth = 8
    /// Limit over all heaps, because overlapping heaps repeat records. Cameras write some hundreds.
    private static let maxRecords = 16_384
    private static let recordByteCount = 10

    private let reader: ByteReader
    private var recordCount = 0
    private(set) var pictureSize: PixelSize?
    /// False if a record lies outside the file.
    private(set) var isWhole = true

    /// The upper bits give the storage, the others the content.
    private enum RecordType {
        /// Set bits store the value inside the record.
        static let storageMask: UInt16 = 0xc000
        static let imageSpecification: UInt16 = 0x1810
        static let heaps: [ClosedRange<UInt16>] = [0x2807...0x2fff, 0x3000...0x3fff]
    }

    /// Reads the heap; nil if the file is not a CRW.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let reader = unsafe ByteReader(bytes, .littleEndian)
        guard reader.starts(with: "II"), reader.starts(with: "HEAPCCDR", at: 6), let start = reader.offset32(2) else {
            return nil
        }
        self.reader = reader
        readHeap(from: start, to: reader.count, depth: 0)
    }

    /// A heap ends with the offset of its record table.
    private mutating func readHeap(from start: Int, to end: Int, depth: Int) {
        guard depth < Self.maxDepth, end - start >= 4, let offset = reader.offset32(end - 4), offset <= end - start - 4,
            let count = reader.count16(start + offset), start + offset + 2 + count * Self.recordByteCount <= end,
            recordCount + count <= Self.maxRecords
        else {
            isWhole = false
            return
        }
        recordCount += count
        for index in 0..<count {
            readRecord(at: start + offset + 2 + index * Self.recordByteCount, heap: start, end: end, depth: depth)
        }
    }

    private mutating func readRecord(at position: Int, heap: Int, end: Int, depth: Int) {
        guard let type = reader.uint16(position), type & RecordType.storageMask == 0,
            let length = reader.offset32(position + 2), let offset = reader.offset32(position + 6)
        else { return }
        guard heap + offset + length <= end else {
            isWhole = false
            return
        }
        let start = heap + offset
        if RecordType.heaps.contains(where: { $0.contains(type) }) {
            readHeap(from: start, to: start + length, depth: depth + 1)
        } else if type == RecordType.imageSpecification, let width = reader.offset32(start),
            let height = reader.offset32(start + 4)
        {
            pictureSize = PixelSize(width: width, height: height)
        }
    }
}
