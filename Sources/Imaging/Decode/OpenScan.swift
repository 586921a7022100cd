/// A scan that is being decoded, row by row.
struct OpenScan {
    let scan: LosslessScan
    private let tables: [DifferenceTable]
    private var reader: DifferenceReader

    /// - Parameter buffers: loaded with the scan, which they stay while this is in use.
    init(_ scan: LosslessScan, _ buffers: ScanBuffers) {
        self.scan = scan
        tables = buffers.tables
        reader = DifferenceReader(buffers.data)
    }

    /// True where all bits were used, but for padding.
    var isSpent: Bool { reader.isSpent }

    /// Row `y` of a usual scan, to be decoded.
    @inline(__always)
    func usualRow(_ y: Int) -> FastRowDecoder { FastRowDecoder(scan, y, reader, tables[0]) }

    /// Takes a row that was decoded.
    /// - Returns: false where the data is damaged.
    @inline(__always)
    mutating func finish(_ y: Int, _ row: FastRowDecoder) -> Bool {
        if row.isRare { return decodeWithCare(y) }
        reader = row.reader
        return finish(y, bits: scan.bits(row: y))
    }

    /// Row `y` of a scan of any kind.
    /// - Returns: false where the data is damaged.
    mutating func decodeWithCare(_ y: Int) -> Bool {
        let bits = GenericRowDecoder(scan, y).decode(&reader, tables)
        return finish(y, bits: bits)
    }

    @inline(__always)
    private func finish(_ y: Int, bits: UInt32) -> Bool {
        guard scan.isSound(reader, bits: bits) else { return false }
        scan.finish(y)
        return true
    }
}
