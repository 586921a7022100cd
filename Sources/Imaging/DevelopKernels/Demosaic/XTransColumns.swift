/// Rows of an X-Trans mosaic, each split into six short rows of every sixth column. All samples of a short row have one
/// colour and the same neighbours, so kernels compute only what each sample needs.
struct XTransColumns: ~Copyable {
    /// Pattern columns before column 0 of the picture, so that its margins have columns too: twelve plus the phase's.
    struct Range {
        let lead: Int
        /// Samples of a short row: whole vectors.
        let count: Int

        init(phase: XTransPhase, count: Int) {
            lead = phase.x + 12
            let columns = lead + count + XTransRows.margin
            self.count = (columns + 6 * Self.vector - 1) / (6 * Self.vector) * Self.vector
        }

        private static let vector = 32
    }

    private let store: Int16ScratchRows
    private let depth: Int

    init(depth: Int, _ range: Range) {
        self.depth = depth
        store = Int16ScratchRows(rows: 6 * depth, count: range.count)
    }

    /// Samples of row `y` in a pattern column: -6 to 11, so that neighbours have numbers.
    @inline(__always)
    func row(_ y: Int, _ column: Int) -> UnsafeMutablePointer<Int16> {
        let turns = column < 0 ? -1 : column > 5 ? 1 : 0
        return store.row((y & (depth - 1)) * 6 + column - 6 * turns) + turns
    }

    /// Splits a row that starts at column 0 of the pattern into six samples for each of `count`.
    func split(_ row: UnsafePointer<Int16>, _ y: Int, count: Int) {
        let bytes = UnsafeRawPointer(row)
        for pair in 0..<3 {
            let (left, right) = (self.row(y, 2 * pair), self.row(y, 2 * pair + 1))
            let first = bytes + 4 * pair
            for x in 0..<count {
                let both = UInt32(littleEndian: first.loadUnaligned(fromByteOffset: 12 &* x, as: UInt32.self))
                left[x] = Int16(truncatingIfNeeded: both)
                right[x] = Int16(truncatingIfNeeded: both &>> 16)
            }
        }
    }

    /// Joins short rows to a row that starts at column 0 of the pattern, with six samples for each of `count`.
    static func join(
        _ columns: (
            XTransKernel.Row, XTransKernel.Row, XTransKernel.Row, XTransKernel.Row, XTransKernel.Row, XTransKernel.Row
        ),
        into row: UnsafeMutablePointer<Int16>, count: Int
    ) {
        let bytes = UnsafeMutableRawPointer(row)
        let (a, b, c, d, e, f) = columns
        for x in 0..<count {
            bytes.storeBytes(of: both(a[x], b[x]), toByteOffset: 12 &* x, as: UInt32.self)
            bytes.storeBytes(of: both(c[x], d[x]), toByteOffset: 12 &* x &+ 4, as: UInt32.self)
            bytes.storeBytes(of: both(e[x], f[x]), toByteOffset: 12 &* x &+ 8, as: UInt32.self)
        }
    }

    /// Joins every other of six short rows to three samples for each of `range`.
    static func joinHalf(
        _ columns: (XTransKernel.Row, XTransKernel.Row, XTransKernel.Row), into row: XTransKernel.Target,
        _ range: Swift.Range<Int>
    ) {
        let (a, b, c) = columns
        for x in range {
            row[3 &* x] = a[x]
            row[3 &* x &+ 1] = b[x]
            row[3 &* x &+ 2] = c[x]
        }
    }

    /// Joins green minus the other colours likewise.
    static func joinHalf(
        _ columns: (XTransKernel.Row, XTransKernel.Row, XTransKernel.Row),
        less others: (XTransKernel.Row, XTransKernel.Row, XTransKernel.Row), into row: XTransKernel.Target,
        _ range: Swift.Range<Int>
    ) {
        let (a, b, c) = columns
        let (d, e, f) = others
        for x in range {
            row[3 &* x] = a[x] &- d[x]
            row[3 &* x &+ 1] = b[x] &- e[x]
            row[3 &* x &+ 2] = c[x] &- f[x]
        }
    }

    @inline(__always)
    private static func both(_ left: Int16, _ right: Int16) -> UInt32 {
        (UInt32(UInt16(bitPattern: left)) | UInt32(UInt16(bitPattern: right)) &<< 16).littleEndian
    }
}
