struct ScanDecoding {
    let scan: LosslessJPEGScan
    let samplesPerRow: Int
    private let tables: [DifferenceTable]
    private var reader: DifferenceReader
    /// The current row and the one above. They stay in the first-level cache; reading them from the plane would stall.
    private let twoRows: UnsafeMutablePointer<UInt16>

    /// - Parameter buffers: loaded with the scan, and unchanged while this value is in use.
    init(_ scan: LosslessJPEGScan, _ buffers: ScanBuffers) {
        self.scan = scan
        samplesPerRow = scan.shape.samplesPerRow
        tables = scan.tables
        twoRows = buffers.twoRows(of: scan.shape)
        reader = DifferenceReader(buffers.data)
    }

    /// Whether all bits except padding were used.
    var isSpent: Bool { reader.isSpent }

    /// Valid until the row after the next is decoded.
    func row(_ y: Int) -> UnsafeMutablePointer<UInt16> { twoRows + (y & 1) * samplesPerRow }

    /// Predictions of each component's first sample in row `y`: the sample above, or half the range.
    @inline(__always)
    func start(row y: Int) -> SIMD4<UInt16> {
        guard y > 0 else { return SIMD4(repeating: 1 << UInt16(scan.shape.precision - 1)) }
        let above = row(y - 1)
        var start = SIMD4<UInt16>()
        for index in 0..<scan.shape.components { start[index] = above[index] }
        return start
    }

    @inline(__always)
    func fastRow(_ y: Int) -> FastRowDecoder { FastRowDecoder(self, y, reader, tables) }

    /// Accepts a row from the fast decoder, or decodes it again if it met a rare difference; false if the data is
    /// damaged.
    @inline(__always)
    mutating func finish(_ y: Int, _ row: FastRowDecoder) -> Bool {
        if scan.fastForm?.alternates != true, row.isRare { return decodeGenerically(y) }
        reader = row.reader
        return store(y, joinedBits: joinedBits(row: y))
    }

    /// Decodes row `y` of any scan; false if the data is damaged.
    mutating func decodeGenerically(_ y: Int) -> Bool {
        let bits = GenericRowDecoder(self, y).decode(&reader, tables)
        return store(y, joinedBits: bits)
    }

    private func joinedBits(row y: Int) -> UInt32 {
        let samples = row(y)
        var bits: UInt16 = 0
        for x in 0..<samplesPerRow { bits |= samples[x] }
        return UInt32(bits)
    }

    /// Copies a decoded row to its target; false if a sample is out of range, a code is unknown, or the data has ended.
    /// The row's samples ORed together reveal a sample out of range.
    @inline(__always)
    private func store(_ y: Int, joinedBits: UInt32) -> Bool {
        guard (joinedBits & 0xffff) >> UInt32(scan.shape.precision) == 0, !reader.isBeyondEnd, !reader.metUnknownCode
        else { return false }
        scan.target.store(row(y), count: samplesPerRow, from: y * samplesPerRow)
        return true
    }
}
