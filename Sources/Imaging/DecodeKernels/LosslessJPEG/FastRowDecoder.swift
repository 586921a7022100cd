/// Decodes a row of a usual scan (`LosslessJPEGScan.fastForm`).
///
/// With one table the loop has no branch: it only detects a rare difference, and `GenericRowDecoder` decodes the row
/// again. Several tables need branches: tables of a single component have too many rare differences, and alternating
/// tables could not detect them at the row's end.
///
/// Loops take and return this value of plain numbers, so that it stays in registers.
struct FastRowDecoder {
    typealias Six = (FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder, FastRowDecoder)

    /// Selects the loop for a row.
    struct Form: Hashable {
        /// 2, 3 or 4.
        let components: Int
        /// Whether two tables alternate; each of three components may have its own table.
        let alternates: Bool
    }

    private(set) var reader: DifferenceReader
    /// Of the first and every other component.
    private let firstTable: DifferenceTable.Lookup
    /// Of the components between.
    private let secondTable: DifferenceTable.Lookup
    /// Of the third of three components.
    private let thirdTable: DifferenceTable.Lookup
    private let samples: UnsafeMutablePointer<UInt16>
    /// Prediction of each component's first sample.
    private let start: SIMD4<UInt16>

    /// The reader is at the row's start. The tables, of which the first three are used, outlive this value.
    @inline(__always)
    init(_ decoding: ScanDecoding, _ y: Int, _ reader: DifferenceReader, _ tables: [DifferenceTable]) {
        self.reader = reader
        firstTable = DifferenceTable.Lookup(tables[0])
        secondTable = DifferenceTable.Lookup(tables[1])
        thirdTable = DifferenceTable.Lookup(tables[min(2, tables.count - 1)])
        samples = decoding.row(y)
        start = decoding.start(row: y)
    }

    /// Whether a row with one table met a rare difference and is invalid. The reader stops before a rare difference,
    /// which may also belong to the next row.
    var isRare: Bool { reader.isBeforeRare(firstTable.entries) }

    static func read(_ row: FastRowDecoder, _ count: Int, _ form: Form) -> FastRowDecoder {
        var row = row
        let components = form.components
        if components == 3 {
            row.readFirstPixel()
            for x in stride(from: 3, to: count, by: 3) { row.readPixel(x) }
            return row
        }
        for x in stride(from: 0, to: components, by: 2) { row.readFirstPair(x, form.alternates) }
        for x in stride(from: components, to: count, by: 2) { row.readPair(x, components, form.alternates) }
        return row
    }

    static func read(_ rows: Six, _ count: Int, _ form: Form) -> Six {
        // With constant distances, the distance to the neighbour needs no register.
        switch (form.components, form.alternates) {
        case (2, false): readInStep(rows, count, 2, false)
        case (2, true): readInStep(rows, count, 2, true)
        case (3, _): readPixelsInStep(rows, count)
        case (_, false): readInStep(rows, count, 4, false)
        case (_, true): readInStep(rows, count, 4, true)
        }
    }

    @inline(__always)
    private static func readInStep(_ rows: Six, _ count: Int, _ components: Int, _ alternates: Bool) -> Six {
        var (a, b, c, d, e, f) = rows
        for x in stride(from: 0, to: components, by: 2) {
            a.readFirstPair(x, alternates)
            b.readFirstPair(x, alternates)
            c.readFirstPair(x, alternates)
            d.readFirstPair(x, alternates)
            e.readFirstPair(x, alternates)
            f.readFirstPair(x, alternates)
        }
        for pair in components / 2..<count / 2 {
            a.readPair(2 * pair, components, alternates)
            b.readPair(2 * pair, components, alternates)
            c.readPair(2 * pair, components, alternates)
            d.readPair(2 * pair, components, alternates)
            e.readPair(2 * pair, components, alternates)
            f.readPair(2 * pair, components, alternates)
        }
        return (a, b, c, d, e, f)
    }

    private static func readPixelsInStep(_ rows: Six, _ count: Int) -> Six {
        var (a, b, c, d, e, f) = rows
        a.readFirstPixel()
        b.readFirstPixel()
        c.readFirstPixel()
        d.readFirstPixel()
        e.readFirstPixel()
        f.readFirstPixel()
        for pixel in 1..<max(count / 3, 1) {
            a.readPixel(3 * pixel)
            b.readPixel(3 * pixel)
            c.readPixel(3 * pixel)
            d.readPixel(3 * pixel)
            e.readPixel(3 * pixel)
            f.readPixel(3 * pixel)
        }
        return (a, b, c, d, e, f)
    }

    @inline(__always)
    private mutating func readFirstPixel() {
        let (first, second) = reader.twoDifferences(firstTable, secondTable)
        samples[0] = start[0] &+ first
        samples[1] = start[1] &+ second
        samples[2] = start[2] &+ reader.oneDifference(thirdTable)
    }

    @inline(__always)
    private mutating func readPixel(_ x: Int) {
        let (first, second) = reader.twoDifferences(firstTable, secondTable)
        samples[x] = samples[x - 3] &+ first
        samples[x + 1] = samples[x - 2] &+ second
        samples[x + 2] = samples[x - 1] &+ reader.oneDifference(thirdTable)
    }

    @inline(__always)
    private mutating func readFirstPair(_ x: Int, _ alternates: Bool) {
        let differences = twoDifferences(alternates)
        samples[x] = start[x] &+ differences.0
        samples[x + 1] = start[x + 1] &+ differences.1
    }

    @inline(__always)
    private mutating func readPair(_ x: Int, _ components: Int, _ alternates: Bool) {
        let differences = twoDifferences(alternates)
        samples[x] = samples[x - components] &+ differences.0
        samples[x + 1] = samples[x + 1 - components] &+ differences.1
    }

    @inline(__always)
    private mutating func twoDifferences(_ alternates: Bool) -> (UInt16, UInt16) {
        alternates ? reader.twoDifferences(firstTable, secondTable) : reader.twoDifferences(firstTable.entries)
    }
}
