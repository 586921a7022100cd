/// Decodes one row of predicted coefficients. The prediction is the median of the western neighbour, the northern
/// neighbour and their plane (JPEG-LS). The code is the difference. Equal neighbours start a run.
struct CRXPredictedRow: CRXRow {
    /// Starts with the column before the first.
    private let above: UnsafePointer<Int32>
    private let row: UnsafeMutablePointer<Int32>
    private let width: Int
    private(set) var codes: CRXCodes
    /// Counted from 1.
    private var x = 1
    private var west: Int32
    private var northWest: Int32
    private var north: Int32

    /// `above` and `row` are memory for `width + 1` coefficients, of which the first is outside the band; the width is
    /// at least 2.
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

    @inline(__always)
    var hasSeveral: Bool { x < width }

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
        // The caller detects an overlong, damaged run by the final column.
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

    /// Decodes the first row of a band, predicted from the left only; false if it is damaged.
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
