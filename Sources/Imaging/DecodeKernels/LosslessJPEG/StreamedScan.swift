/// A usual scan with one table, decoded through a `DifferenceStream`: a whole photo in one JPEG.
struct StreamedScan {
    private let scan: LosslessJPEGScan
    private let buffers: ScanBuffers
    private let twoRows: UnsafeMutablePointer<UInt16>

    /// The scan is a long stream (`LosslessJPEGScan.isLongStream`). The buffers serve only this scan while it is
    /// decoded.
    init(_ scan: LosslessJPEGScan, _ buffers: ScanBuffers) {
        self.scan = scan
        self.buffers = buffers
        twoRows = buffers.twoRows(of: scan.shape)
    }

    func decode() -> Bool {
        let shape = scan.shape
        let count = shape.samplesPerRow
        var stream = buffers.stream(scan)
        var start = SIMD4<UInt16>(repeating: 1 << UInt16(shape.precision - 1))
        for y in 0..<shape.height {
            let row = twoRows + (y & 1) * count
            guard stream.read(count, into: row) else { return false }
            let joinedBits =
                shape.components == 2 ? Self.addUpTwo(row, count, &start) : Self.addUpFour(row, count, &start)
            guard UInt32(joinedBits) >> UInt32(shape.precision) == 0 else { return false }
            scan.target.store(row, count: count, from: y * count)
        }
        return !stream.isBeyondEnd && stream.isSpent
    }

    /// Turns a row's differences into samples, each predicted from its left neighbour of the same component. `start`
    /// has the predictions of the first samples and receives the next row's. Returns all samples ORed together.
    private static func addUpTwo(
        _ row: UnsafeMutablePointer<UInt16>, _ count: Int, _ start: inout SIMD4<UInt16>
    ) -> UInt16 {
        var (first, second) = (start[0], start[1])
        var joinedBits: UInt16 = 0
        for x in stride(from: 0, to: count, by: 2) {
            first &+= row[x]
            second &+= row[x + 1]
            row[x] = first
            row[x + 1] = second
            joinedBits |= first | second
        }
        (start[0], start[1]) = (row[0], row[1])
        return joinedBits
    }

    private static func addUpFour(
        _ row: UnsafeMutablePointer<UInt16>, _ count: Int, _ start: inout SIMD4<UInt16>
    ) -> UInt16 {
        var sums = start
        var joinedBits = SIMD4<UInt16>.zero
        let vectors = UnsafeMutableRawPointer(row)
        for x in stride(from: 0, to: count, by: 4) {
            sums &+= vectors.loadUnaligned(fromByteOffset: 2 * x, as: SIMD4<UInt16>.self)
            vectors.storeBytes(of: sums, toByteOffset: 2 * x, as: SIMD4<UInt16>.self)
            joinedBits |= sums
        }
        start = vectors.loadUnaligned(as: SIMD4<UInt16>.self)
        return joinedBits[0] | joinedBits[1] | joinedBits[2] | joinedBits[3]
    }
}
