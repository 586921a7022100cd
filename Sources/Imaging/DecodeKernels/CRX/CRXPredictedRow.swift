/// One row of numbers that resemble their neighbours, while it is decoded.
///
/// A number is the median of its western and northern neighbours and their plane's (JPEG-LS), and a difference. Where the
/// neighbours are equal, a run follows.
struct CRXPredictedRow: CRXRow {
    /// From the column before the first on.
    private let above: UnsafePointer<Int32>
    private let row: UnsafeMutablePointer<Int32>
    private let width: Int
    private(set) var codes: CRXCodes
    /// Counted from 1.
    private var x = 1
    private var west: Int32
    private var northWest: Int32
    private var north: Int32

    /// - Parameters:
    ///   - above: `width + 1` numbers of the row above, of which the first is not one of the band.
    ///   - row: room for as many.
    ///   - width: at least 2.
    @inline(__always)
    init(
        _ codes: CRXCodes, above: UnsafePointer<Int32>, row: UnsafeMutablePointer<Int32>, width: Int
    ) {
        self.codes = codes
        self.above = above
        self.row = row
        self.width = width
        north = above[1]
        northWest = above[0]
        west = north
        row[0] = west
    }

    /// Whether more than one number is left.
    @inline(__always)
    var hasSeveral: Bool { x < width }

    /// Decodes a number, or a run and the number behind it. Only while `hasSeveral`.
    @inline(__always)
    mutating func step(_ bytes: CRXBytes) {
        let northEast = above[x + 1]
        if _slowPath((west ^ north) | (west ^ northEast) == 0) {
            var other = self
            other.run(bytes)
            self = other
            return
        }
        let code = codes.next(bytes)
        west = median &+ CRXCodes.number(code)
        row[x] = west
        codes.follow(code &>> 1 &+ UInt64((northEast &- north).magnitude))
        northWest = north
        north = northEast
        x &+= 1
    }

    @inline(__always)
    private var median: Int32 {
        max(min(west, north), min(max(west, north), west &+ north &- northWest))
    }

    @inline(never)
    private mutating func run(_ bytes: CRXBytes) {
        let remaining = width - x + 1
        let length = codes.run(bytes, remaining: remaining)
        // Too long a run is damage, which the caller sees by the row's end.
        guard length <= remaining else { return x = .max }
        (row + x).update(repeating: west, count: length)
        x += length
        guard x <= width else { return }
        let code = codes.next(bytes)
        west = above[x] &+ CRXCodes.number(code)
        row[x] = west
        guard x < width else {
            codes.follow(code)
            x += 1
            return
        }
        northWest = above[x]
        north = above[x + 1]
        codes.follow(code &>> 1 &+ UInt64((north &- northWest).magnitude))
        x += 1
    }

    /// Decodes what is left of the row.
    ///
    /// - Returns: false where it is damaged.
    @inline(__always)
    mutating func finish(_ bytes: CRXBytes) -> Bool {
        while hasSeveral { step(bytes) }
        if x == width {
            let code = codes.next(bytes)
            row[x] = median &+ CRXCodes.number(code)
            codes.follow(code)
            x += 1
        }
        return x == width + 1
    }

    /// Decodes the first row of a band, whose numbers resemble those before them.
    ///
    /// - Returns: false where it is damaged.
    static func decodeFirst(
        _ codes: inout CRXCodes, _ bytes: CRXBytes, row: UnsafeMutablePointer<Int32>, width: Int
    ) -> Bool {
        row[0] = 0
        var x = 1
        while x <= width {
            let remaining = width - x + 1
            if remaining > 1, row[x - 1] == 0 {
                let length = codes.run(bytes, remaining: remaining)
                guard length <= remaining else { return false }
                (row + x).update(repeating: 0, count: length)
                x += length
                guard x <= width else { break }
            }
            let code = codes.next(bytes)
            row[x] = row[x - 1] &+ CRXCodes.number(code)
            codes.follow(code)
            x += 1
        }
        return true
    }
}
