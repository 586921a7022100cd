/// Decodes one row of mostly zero coefficients. Zero neighbours start a run of zeros. The Golomb–Rice parameter also
/// adapts to the parameter in the row above.
struct CRXSparseRow: CRXRow {
    /// Starts with the column before the first, which is 0 in all rows.
    private let above: UnsafePointer<Int32>
    private let row: UnsafeMutablePointer<Int32>
    /// Parameters of the row above by column, replaced by this row's.
    private let parameters: UnsafeMutablePointer<UInt8>
    private let width: Int
    private(set) var codes: CRXCodes
    /// Counted from 1.
    private var x = 1
    private var west: Int32 = 0
    private var north: Int32
    private var isSound = true

    /// `above` and `row` are memory for `width + 1` coefficients; the width is at least 2.
    @inline(__always)
    init(
        _ codes: CRXCodes, above: UnsafePointer<Int32>, row: UnsafeMutablePointer<Int32>,
        parameters: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        self.codes = codes
        self.above = above
        self.row = row
        self.parameters = parameters
        self.width = width
        north = above[1]
    }

    @inline(__always)
    var hasSeveral: Bool { x < width }

    @inline(__always)
    mutating func step(_ bytes: CRXBytes) {
        let northEast = above[x + 1]
        if west | north | northEast == 0 {
            var other = self
            other.run(bytes)
            self = other
            return
        }
        take(codes.next(bytes), 0)
        north = northEast
    }

    @inline(__always)
    private mutating func take(_ code: UInt64, _ zeroCount: UInt64) {
        west = CRXCodes.number(code &+ zeroCount)
        row[x] = west
        codes.follow(code, max: .max)
        codes.approach(UInt64(parameters[x]))
        parameters[x &- 1] = UInt8(truncatingIfNeeded: codes.parameter)
        x &+= 1
    }

    @inline(never)
    private mutating func run(_ bytes: CRXBytes) {
        let remaining = width - x + 1
        let length = codes.run(bytes, remaining: remaining)
        guard length <= remaining else {
            isSound = false
            x = width + 1
            return
        }
        Self.clear(row + x, parameters + x - 1, length)
        x += length
        guard x < width else {
            if x == width { endRow(codes.next(bytes), 1) }
            return
        }
        take(codes.next(bytes), 1)
        north = above[x]
    }

    @inline(__always)
    private mutating func endRow(_ code: UInt64, _ zeroCount: UInt64) {
        row[x] = CRXCodes.number(code &+ zeroCount)
        codes.follow(code)
        parameters[x - 1] = UInt8(truncatingIfNeeded: codes.parameter)
        x += 1
    }

    @inline(__always)
    mutating func finish(_ bytes: CRXBytes) -> Bool {
        while hasSeveral { step(bytes) }
        if x == width { endRow(codes.next(bytes), 0) }
        return isSound
    }

    /// Decodes the first row of a band; false if it is damaged.
    static func decodeFirst(
        _ codes: inout CRXCodes, _ bytes: CRXBytes, row: UnsafeMutablePointer<Int32>,
        parameters: UnsafeMutablePointer<UInt8>, width: Int
    ) -> Bool {
        row[0] = 0
        var x = 1
        while x <= width {
            let remaining = width - x + 1
            var zeroCount: UInt64 = 0
            if remaining > 1, row[x - 1] == 0 {
                let length = codes.run(bytes, remaining: remaining)
                guard length <= remaining else { return false }
                clear(row + x, parameters + x - 1, length)
                x += length
                guard x <= width else { break }
                zeroCount = 1
            }
            let code = codes.next(bytes)
            row[x] = CRXCodes.number(code + zeroCount)
            codes.follow(code)
            parameters[x - 1] = UInt8(truncatingIfNeeded: codes.parameter)
            x += 1
        }
        return true
    }

    @inline(__always)
    private static func clear(
        _ row: UnsafeMutablePointer<Int32>, _ parameters: UnsafeMutablePointer<UInt8>, _ count: Int
    ) {
        row.update(repeating: 0, count: count)
        parameters.update(repeating: 0, count: count)
    }
}

extension CRXCodes {
    /// Adapts the parameter to the next column's in the row above.
    @inline(__always)
    fileprivate mutating func approach(_ other: UInt64) {
        // Raises the parameter by one if the other exceeds it by more than one. The other is at most `maxParameter`.
        parameter = min(parameter &+ (parameter &+ 1 &- other) &>> 63, Self.maxParameter)
    }
}
