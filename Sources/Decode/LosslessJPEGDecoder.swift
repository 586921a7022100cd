/// Decodes lossless JPEGs (ITU-T T.81, process 14), one after another or two at once, with the same buffers.
///
/// Each difference must be read before it is known where the next one begins, so that a processor mostly waits. Two
/// scans in one loop give it twice as much to do in the same time.
struct LosslessJPEGDecoder: ~Copyable {
    private var first = ScanBuffers()
    private var second = ScanBuffers()
    private let sixteenHasBits: Bool

    /// - Parameter sixteenHasBits: true for DNG before version 1.1.
    init(sixteenHasBits: Bool) { self.sixteenHasBits = sixteenHasBits }

    /// Decodes a whole scan.
    /// - Returns: false where the data is damaged: an unknown code, a sample out of range, too few or too many bits.
    mutating func decode(_ scan: LosslessScan) -> Bool {
        guard first.load(scan, sixteenHasBits: sixteenHasBits) else { return false }
        var reader = DifferenceReader(first.data)
        for y in 0..<scan.header.height {
            let before = reader
            if scan.isUsual, let row = first.withEntries({ UsualRow.decode(before, $0, scan, y) }), !row.metRare {
                reader = row.reader
                guard scan.isSound(reader, bits: row.bits) else { return false }
            } else {
                let bits = CarefulRow(scan, y).decode(&reader, first.tables)
                guard scan.isSound(reader, bits: bits) else { return false }
            }
            scan.finish(y)
        }
        return reader.isSpent
    }

    /// Decodes two scans of the same width and height, both usual.
    /// - Returns: false where the data of either is damaged.
    mutating func decode(_ scan: LosslessScan, _ other: LosslessScan) -> Bool {
        guard first.load(scan, sixteenHasBits: sixteenHasBits), second.load(other, sixteenHasBits: sixteenHasBits)
        else { return false }
        var readers = (DifferenceReader(first.data), DifferenceReader(second.data))
        for y in 0..<scan.header.height {
            let before = readers
            let rows = first.withEntries { entries in
                second.withEntries { UsualRow.decode(before, (entries, $0), (scan, other), y) }
            }
            guard let rows = rows.flatMap({ $0 }) else { return false }
            readers = rows.readers
            var bits = rows.bits
            if rows.metRare {
                readers = before
                bits.0 = CarefulRow(scan, y).decode(&readers.0, first.tables)
                bits.1 = CarefulRow(other, y).decode(&readers.1, second.tables)
            }
            guard scan.isSound(readers.0, bits: bits.0), other.isSound(readers.1, bits: bits.1) else { return false }
            scan.finish(y)
            other.finish(y)
        }
        return readers.0.isSpent && readers.1.isSpent
    }
}
