/// A row of a usual scan (`LosslessScan.isUsual`) that is being decoded, without a decision on the way: what is rare is
/// only noticed, and the row decoded again with care.
///
/// First come all differences, which is where a processor has to wait, then their sums.
///
/// A value of plain numbers that loops take and give back, so that they stay in registers.
struct UsualRow {
    typealias Four = (UsualRow, UsualRow, UsualRow, UsualRow)

    private(set) var reader: DifferenceReader
    private let entries: UnsafePointer<UInt32>
    private let samples: UnsafeMutablePointer<UInt16>
    private let components: Int
    /// What the first sample of each component is predicted from.
    private let start: SIMD4<UInt16>
    /// Of the last difference.
    private var entry: UInt32 = 0

    /// - Parameter reader: stands where the row begins.
    init(_ scan: LosslessScan, _ y: Int, _ reader: DifferenceReader, _ table: DifferenceTable) {
        self.reader = reader
        entries = table.entries
        samples = scan.row(y)
        components = scan.header.components
        var start = SIMD4<UInt16>()
        for index in 0..<components { start[index] = UInt16(truncatingIfNeeded: scan.start(index, row: y)) }
        self.start = start
    }

    /// A rare difference was met: the row is worth nothing. Where one is met nothing is taken, so it is also the last.
    var isRare: Bool { entry & DifferenceTable.isRare != 0 }

    /// Reads the differences of a row.
    ///
    /// - Parameter pairs: half as many as the row has samples.
    static func read(_ row: UsualRow, pairs: Int) -> UsualRow {
        var row = row
        for x in 0..<pairs { row.readPair(x) }
        return row
    }

    /// Reads the differences of four rows in step.
    static func read(_ rows: Four, pairs: Int) -> Four {
        var (a, b, c, d) = rows
        for x in 0..<pairs {
            a.readPair(x)
            b.readPair(x)
            c.readPair(x)
            d.readPair(x)
        }
        return (a, b, c, d)
    }

    @inline(__always)
    private mutating func readPair(_ x: Int) {
        let (differences, last) = reader.twoDifferences(entries)
        samples[2 * x] = UInt16(truncatingIfNeeded: differences.0)
        samples[2 * x + 1] = UInt16(truncatingIfNeeded: differences.1)
        entry = last
    }

    /// Makes samples of the differences.
    ///
    /// - Parameter count: of the row's samples.
    /// - Returns: all samples' bits, joined.
    func addUp(_ count: Int) -> UInt16 {
        components == 2 ? addUp(count, from: start.lowHalf) : addUp(count, from: start)
    }

    /// - Parameter start: one number for each component.
    @inline(__always)
    private func addUp<Pixel: SIMD & BitwiseCopyable>(_ count: Int, from start: Pixel) -> UInt16
    where Pixel.Scalar == UInt16 {
        let place = UnsafeMutableRawPointer(samples)
        var (sum, bits) = (start, Pixel())
        for x in 0..<count / Pixel.scalarCount {
            let offset = x * MemoryLayout<Pixel>.size
            sum &+= place.loadUnaligned(fromByteOffset: offset, as: Pixel.self)
            place.storeBytes(of: sum, toByteOffset: offset, as: Pixel.self)
            bits |= sum
        }
        return bits.indices.reduce(0) { $0 | bits[$1] }
    }
}
