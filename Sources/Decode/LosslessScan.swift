/// One lossless JPEG and where its samples go.
struct LosslessScan {
    let bytes: UnsafeRawBufferPointer
    let header: LosslessJPEGHeader
    /// Row 0, of `header.samplesPerRow` samples; the others follow `strideSamples` apart, or take turns in two places.
    let target: UnsafeMutablePointer<UInt16>
    let strideSamples: Int
    /// What gets each row from those two places.
    private let receiver: Chunk?

    init(
        bytes: UnsafeRawBufferPointer, header: LosslessJPEGHeader, target: UnsafeMutablePointer<UInt16>,
        strideSamples: Int, passingOnTo receiver: Chunk? = nil
    ) {
        self.bytes = bytes
        self.header = header
        self.target = target
        self.strideSamples = strideSamples
        self.receiver = receiver
    }

    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { target + (receiver == nil ? y : y & 1) * strideSamples }

    /// Says that a row is decoded.
    func finish(_ y: Int) { receiver?.put(row(y), header.samplesPerRow, from: y * header.samplesPerRow) }

    /// What the first sample of component `index` in row `y` is predicted from: the one above, or half the range.
    func start(_ index: Int, row y: Int) -> UInt32 {
        y > 0 ? UInt32(row(y - 1)[index]) : 1 << UInt32(header.precision - 1)
    }

    /// Two or four components with one table, each predicted from its left neighbour: what all cameras and converters
    /// write.
    var isUsual: Bool {
        [2, 4].contains(header.components) && header.predictor == 1
            && header.tables.allSatisfy { $0 == header.tables[0] }
    }

    /// Usual ones of the same size can be decoded in step.
    func hasSize(of other: LosslessScan) -> Bool {
        header.samplesPerRow == other.header.samplesPerRow && header.height == other.header.height
    }

    /// - Parameter bits: of the row's samples, joined: shows at once whether one is out of range.
    func isSound(_ reader: DifferenceReader, bits: UInt32) -> Bool {
        (bits & 0xffff) >> UInt32(header.precision) == 0 && !reader.isBeyondEnd && !reader.metUnknownCode
    }
}

/// The buffers of one scan, for one after another: its bits, and the tables to read them by.
final class ScanBuffers {
    private(set) var data = EntropyData()
    private(set) var tables: [DifferenceTable] = []

    /// False where the tables make no code.
    func load(_ scan: LosslessScan, tables shelf: inout TableShelf) -> Bool {
        tables = scan.header.tables.compactMap { shelf.table($0) }
        guard tables.count == scan.header.tables.count else { return false }
        let row = scan.header.samplesPerRow * DifferenceReader.mostBytesPerSample
        data.load(
            UnsafeRawBufferPointer(rebasing: scan.bytes[scan.header.dataOffset...]), slack: row + DifferenceReader.slack
        )
        return true
    }
}

/// Tables by their definition: scans of one file mostly have the same, and then share it and the cache it lies in.
struct TableShelf {
    private static let most = 8

    let sixteenHasBits: Bool
    private var made: [(definition: [UInt8], table: DifferenceTable)] = []

    init(sixteenHasBits: Bool) { self.sixteenHasBits = sixteenHasBits }

    /// Nil where the definition makes no code.
    mutating func table(_ definition: [UInt8]) -> DifferenceTable? {
        if let known = made.first(where: { $0.definition == definition }) { return known.table }
        guard let table = DifferenceTable(definition, sixteenHasBits: sixteenHasBits) else { return nil }
        if made.count == Self.most { made.removeFirst() }
        made.append((definition, table))
        return table
    }
}
