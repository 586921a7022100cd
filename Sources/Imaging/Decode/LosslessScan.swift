/// One lossless JPEG that is a chunk's bytes.
struct LosslessScan {
    let header: LosslessJPEGHeader
    let samplesPerRow: Int
    private let chunk: Chunk
    /// The row that is decoded and the one above take turns in these, which stay in a processor's first cache. The plane
    /// does not: there each row would be waited for.
    private let twoRows: UnsafeMutablePointer<UInt16>

    /// - Parameter twoRows: room for two rows of `header.samplesPerRow` samples, in use as long as this is.
    init(_ chunk: Chunk, header: LosslessJPEGHeader, twoRows: UnsafeMutablePointer<UInt16>) {
        self.header = header
        self.chunk = chunk
        self.twoRows = twoRows
        samplesPerRow = header.samplesPerRow
    }

    var entropyCoded: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: chunk.bytes[header.dataOffset...]) }

    /// Valid until the row after the next is decoded.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { twoRows + (y & 1) * samplesPerRow }

    /// Takes a row that is decoded to its place in the plane.
    func finish(_ y: Int) { chunk.put(row(y), samplesPerRow, from: y * samplesPerRow) }

    /// What the first sample of each component in row `y` is predicted from: the one above, or half the range.
    @inline(__always)
    func start(row y: Int) -> SIMD4<UInt16> {
        guard y > 0 else { return SIMD4(repeating: 1 << UInt16(header.precision - 1)) }
        let above = row(y - 1)
        var start = SIMD4<UInt16>()
        for index in 0..<header.components { start[index] = above[index] }
        return start
    }

    /// All bits of a row's samples, joined.
    func bits(row y: Int) -> UInt32 {
        let samples = row(y)
        var bits: UInt16 = 0
        for x in 0..<samplesPerRow { bits |= samples[x] }
        return UInt32(bits)
    }

    /// Two or four components with one table, each predicted from its left neighbour: what all cameras and converters
    /// write.
    var isUsual: Bool {
        [2, 4].contains(header.components) && header.predictor == 1
            && header.tables.allSatisfy { $0 == header.tables[0] }
    }

    /// Usual ones of the same size can be decoded in step.
    func hasSize(of other: LosslessScan) -> Bool {
        header.width == other.header.width && header.components == other.header.components
            && header.height == other.header.height
    }

    /// - Parameter bits: of the row's samples, joined: shows at once whether one is out of range.
    func isSound(_ reader: DifferenceReader, bits: UInt32) -> Bool {
        (bits & 0xffff) >> UInt32(header.precision) == 0 && !reader.isBeyondEnd && !reader.metUnknownCode
    }
}

/// The buffers of one scan, for one after another: its bits, the tables to read them by, and room for some rows.
final class ScanBuffers {
    private(set) var data = EntropyData()
    private(set) var tables: [DifferenceTable] = []
    private var samples = UnsafeMutableBufferPointer<UInt16>(start: nil, count: 0)

    deinit { samples.deallocate() }

    /// Room for so many samples, valid until asked for again.
    func rows(_ count: Int) -> UnsafeMutablePointer<UInt16> {
        if let start = samples.baseAddress, samples.count >= count { return start }
        samples.deallocate()
        let start = UnsafeMutablePointer<UInt16>.allocate(capacity: count)
        samples = UnsafeMutableBufferPointer(start: start, count: count)
        return start
    }

    /// False where the tables make no code.
    func load(_ scan: LosslessScan, tables shelf: inout HuffmanTableCache) -> Bool {
        tables = scan.header.tables.compactMap { shelf.table($0) }
        guard tables.count == scan.header.tables.count else { return false }
        let row = scan.header.samplesPerRow * DifferenceReader.mostBytesPerSample
        data.load(scan.entropyCoded, slack: row + DifferenceReader.slack)
        return true
    }
}

/// Tables by their definition: scans of one file mostly have the same, and then share it and the cache it lies in.
struct HuffmanTableCache {
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
