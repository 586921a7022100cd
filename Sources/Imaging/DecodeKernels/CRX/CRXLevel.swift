/// One wavelet level: joins four bands of four planes row by row (the reversible 5/3 wavelet of D. Le Gall and A.
/// Tabatabai, "Sub-band coding of digital images using symmetric short kernel filters and arithmetic coding
/// techniques", 1988).
final class CRXLevel {
    let width: Int
    private let height: Int
    private let hasLeft: Bool
    private let hasRight: Bool
    private let lows: Lows
    private let highColumns: CRXBandRows
    private let highRows: CRXBandRows
    private let highBoth: CRXBandRows
    /// Per plane: two high rows, three rows of the result, and the inputs of one row.
    private let memory: UnsafeMutablePointer<Int32>
    private let stride: Int
    private var y = 0

    /// Source of the low columns of low rows.
    enum Lows {
        case band(CRXBandRows)
        case level(CRXLevel)
    }

    private static let rowsPerPlane = 9
    /// Coefficients in this range stay far below 31 bits after scaling and all levels.
    private static let maxBits: Int32 = 21

    /// At least 4 joined columns and 4 rows.
    init(
        _ columns: CRXTile.Columns, height: Int, tile: CRXTile, lows: Lows, highColumns: CRXBandRows,
        highRows: CRXBandRows, highBoth: CRXBandRows
    ) {
        width = columns.joined
        self.height = height
        hasLeft = tile.hasLeftNeighbour
        hasRight = tile.hasRightNeighbour
        self.lows = lows
        self.highColumns = highColumns
        self.highRows = highRows
        self.highBoth = highBoth
        // A band has at most half of the columns, plus one on the left and two on the right.
        stride = columns.joined + 8
        let count = CRXBandRows.planeCount * Self.rowsPerPlane * stride
        memory = .allocate(capacity: count)
        memory.initialize(repeating: 0, count: count)
    }

    deinit { memory.deallocate() }

    private func row(_ plane: Int, _ number: Int) -> UnsafeMutablePointer<Int32> {
        memory + (plane * Self.rowsPerPlane + number) * stride
    }

    private func high(_ plane: Int, _ number: Int) -> UnsafeMutablePointer<Int32> { row(plane, number & 1) }
    private func even(_ plane: Int, _ number: Int) -> UnsafeMutablePointer<Int32> { row(plane, 2 + number & 1) }
    private func odd(_ plane: Int) -> UnsafeMutablePointer<Int32> { row(plane, 4) }
    private func low(_ plane: Int) -> UnsafeMutablePointer<Int32> { row(plane, 5) }

    func last(_ plane: Int) -> UnsafeMutablePointer<Int32> {
        (y - 1) & 1 == 0 ? even(plane, (y - 1) / 2) : odd(plane)
    }

    /// Makes the next row of all planes; false if a band is damaged.
    func next() -> Bool {
        defer { y += 1 }
        if y == 0 {
            guard loadLow(), loadHigh(0) else { return false }
            for plane in 0..<CRXBandRows.planeCount {
                let (low, high, even) = (low(plane), high(plane, 0), even(plane, 0))
                for x in 0..<width { even[x] = low[x] &- (high[x] &+ 1) &>> 1 }
            }
            return true
        }
        guard y & 1 == 1 else { return true }
        let pair = y / 2
        let hasHigh = y + 2 < height
        if y + 1 < height {
            guard loadLow(), !hasHigh || loadHigh(pair + 1) else { return false }
        }
        for plane in 0..<CRXBandRows.planeCount {
            let (high, even, odd) = (high(plane, pair), even(plane, pair), odd(plane))
            guard y + 1 < height else {
                for x in 0..<width { odd[x] = high[x] &+ even[x] }
                continue
            }
            let (low, nextEven) = (low(plane), self.even(plane, pair + 1))
            let nextHigh = hasHigh ? self.high(plane, pair + 1) : high
            for x in 0..<width {
                let next = low[x] &- (high[x] &+ nextHigh[x] &+ 2) &>> 2
                odd[x] = high[x] &+ (even[x] &+ next) &>> 1
                nextEven[x] = next
            }
        }
        return true
    }

    private func loadLow() -> Bool {
        switch lows {
        case .band(let band): guard band.decode(), band.isInRange(bits: Self.maxBits) else { return false }
        case .level(let level): guard level.next() else { return false }
        }
        guard highColumns.decode() else { return false }
        for plane in 0..<CRXBandRows.planeCount {
            switch lows {
            case .band(let band):
                let scaled = row(plane, 8)
                band.copyLast(plane, to: scaled)
                join(plane, scaled, highColumns, to: low(plane))
            case .level(let level): join(plane, level.last(plane), highColumns, to: low(plane))
            }
        }
        return true
    }

    private func loadHigh(_ number: Int) -> Bool {
        guard highRows.decode(), highBoth.decode() else { return false }
        for plane in 0..<CRXBandRows.planeCount {
            let scaled = row(plane, 8)
            highRows.copyLast(plane, to: scaled)
            join(plane, scaled, highBoth, to: high(plane, number))
        }
        return true
    }

    private func join(
        _ plane: Int, _ low: UnsafePointer<Int32>, _ band: CRXBandRows, to target: UnsafeMutablePointer<Int32>
    ) {
        // Starts with the high column to the left of the first low one.
        let high = row(plane, 6)
        let even = row(plane, 7)
        if hasLeft {
            band.copyLast(plane, to: high)
        } else {
            band.copyLast(plane, to: high + 1)
            high[0] = high[1]
        }
        let half = width / 2
        let isOdd = width & 1 == 1
        // Mirrors the row at the picture's edge.
        if !hasRight, isOdd { high[half + 1] = high[half] }
        let evenCount = isOdd || hasRight ? half + 1 : half
        for x in 0..<evenCount { even[x] = low[x] &- (high[x] &+ high[x + 1] &+ 2) &>> 2 }
        if !hasRight, !isOdd { even[half] = even[half - 1] }
        let middle = high + 1
        for x in 0..<half {
            target[2 * x] = even[x]
            target[2 * x + 1] = middle[x] &+ (even[x] &+ even[x + 1]) &>> 1
        }
        if isOdd { target[2 * half] = even[half] }
    }
}
