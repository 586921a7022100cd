/// Decodes a row of a usual scan (`LosslessJPEGScan.isUsual`) without a branch: a rare difference is only noticed, and
/// `GenericRowDecoder` decodes the row again.
///
/// A value of plain numbers that loops take and return, so that they stay in registers.
struct FastRowDecoder {
    typealias Six = (FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder)

    private(set) var reader: DifferenceReader
    private let entries: UnsafePointer<DifferenceTable.Entry>
    private let samples: UnsafeMutablePointer<UInt16>
    /// What the first sample of each component is predicted from.
    private let start: SIMD4<UInt16>

    /// - Parameter reader: at the beginning of the row.
    @inline(__always)
    init(_ decoding: ScanDecoding, _ y: Int, _ reader: DifferenceReader, _ table: DifferenceTable) {
        self.reader = reader
        entries = table.entries
        samples = decoding.row(y)
        start = decoding.start(row: y)
    }

    /// Whether a rare difference was met, so that the row is invalid. Nothing is taken where one is met, so it still comes
    /// next. (It may also be the one behind the row.)
    var isRare: Bool { reader.isBeforeRare(entries) }

    /// Decodes a row of `count` samples, of two or four components.
    static func read(_ row: FastRowDecoder, _ count: Int, components: Int) -> FastRowDecoder {
        var row = row
        for x in stride(from: 0, to: components, by: 2) { row.readFirstPair(x) }
        for x in stride(from: components, to: count, by: 2) { row.readPair(x, components) }
        return row
    }

    /// Decodes six rows in step.
    static func read(_ rows: Six, _ count: Int, components: Int) -> Six {
        // Written out for both, so that the distance to the neighbours needs no register.
        components == 2 ? readInStep(rows, count, 2) : readInStep(rows, count, 4)
    }

    @inline(__always)
    private static func readInStep(_ rows: Six, _ count: Int, _ components: Int) -> Six {
        var (a, b, c, d, e, f) = rows
        for x in stride(from: 0, to: components, by: 2) {
            a.readFirstPair(x)
            b.readFirstPair(x)
            c.readFirstPair(x)
            d.readFirstPair(x)
            e.readFirstPair(x)
            f.readFirstPair(x)
        }
        for pair in components / 2..<count / 2 {
            a.readPair(2 * pair, components)
            b.readPair(2 * pair, components)
            c.readPair(2 * pair, components)
            d.readPair(2 * pair, components)
            e.readPair(2 * pair, components)
            f.readPair(2 * pair, components)
        }
        return (a, b, c, d, e, f)
    }

    @inline(__always)
    private mutating func readFirstPair(_ x: Int) {
        let differences = reader.twoDifferences(entries)
        samples[x] = start[x] &+ differences.0
        samples[x + 1] = start[x + 1] &+ differences.1
    }

    @inline(__always)
    private mutating func readPair(_ x: Int, _ components: Int) {
        let differences = reader.twoDifferences(entries)
        samples[x] = samples[x - components] &+ differences.0
        samples[x + 1] = samples[x + 1 - components] &+ differences.1
    }
}
