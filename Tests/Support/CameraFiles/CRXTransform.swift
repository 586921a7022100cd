/// Numbers along a row or column, mirrored beyond the picture's edges, and continued in the neighbour beyond a tile's.
private struct CRXLine {
    /// From `start` on.
    let numbers: [Int]
    /// Position of the first number relative to the tile: 0 or negative.
    let start: Int
    /// Ends of the picture on both sides.
    let edges: (first: Int?, last: Int?)

    subscript(index: Int) -> Int {
        var index = index
        if let first = edges.first, index < first { index = 2 * first - index }
        if let last = edges.last, index > last { index = 2 * last - index }
        return numbers[min(max(index - start, 0), numbers.count - 1)]
    }

    func high(_ index: Int) -> Int { self[2 * index + 1] - (self[2 * index] + self[2 * index + 2]) >> 1 }

    func low(_ index: Int) -> Int { self[2 * index] + (high(index - 1) + high(index) + 2) >> 2 }
}

/// A tile, repeatedly split into four bands by the reversible 5/3 wavelet (D. Le Gall and A. Tabatabai, 1988), once per
/// level.
///
/// Each tile is split from its own first column on, and its bands contain what its decoder needs of its neighbours.
struct CRXTransform {
    /// Numbers of a plane around the tile.
    private(set) var rows: [[Int]]
    /// Minus the column of `rows` at which the tile begins.
    private var start: Int
    private let hasLeft: Bool
    private let hasRight: Bool
    /// Columns that the tile's decoder needs.
    private var needed: Int

    /// - Parameters:
    ///   - rows: of the whole plane.
    ///   - columns: of the tile.
    init(_ rows: [[Int]], columns: Range<Int>) {
        let width = rows[0].count
        let first = max(0, columns.lowerBound - Self.margin)
        let end = min(width, columns.upperBound + Self.margin)
        self.rows = rows.map { Array($0[first..<end]) }
        start = first - columns.lowerBound
        hasLeft = columns.lowerBound > 0
        hasRight = columns.upperBound < width
        needed = columns.count
    }

    /// Exceeds the reach of the longest filter over all levels.
    private static let margin = 64

    /// Splits into the bands of low frequencies, which stays, of high ones in columns, in rows, and in both.
    ///
    /// - Parameter isDeepest: whether the first band is not split again.
    mutating func split(isDeepest: Bool) -> (columns: [[Int]], rows: [[Int]], both: [[Int]]) {
        let (low, high) = Self.vertical(rows)
        let last = start + rows[0].count - 1
        let edges: (Int?, Int?) = (hasLeft ? nil : 0, hasRight ? nil : last)
        var (lows, highs) = ((needed + 1) / 2, needed / 2)
        if hasRight {
            lows = needed / 2 + 1
            highs = lows
            // The next level's last column is a low one.
            if !isDeepest, lows % 2 == 0 { lows += 1 }
        }
        let lowStart = hasLeft ? start / 2 + 2 : 0
        let lowEnd = hasRight ? max(lows, last / 2 - 2) : lows
        func lines(_ rows: [[Int]]) -> [CRXLine] {
            rows.map { CRXLine(numbers: $0, start: start, edges: (edges.0, edges.1)) }
        }
        func differences(_ rows: [[Int]]) -> [[Int]] {
            lines(rows).map { line in ((hasLeft ? -1 : 0)..<highs).map { line.high($0) } }
        }
        let bands = (
            differences(low), lines(high).map { line in (0..<lows).map { line.low($0) } }, differences(high)
        )
        rows = lines(low).map { line in (lowStart..<lowEnd).map { line.low($0) } }
        start = lowStart
        needed = lows
        return bands
    }

    /// The remaining low band of the tile itself.
    var lowest: [[Int]] { rows.map { Array($0[(0 - start)..<(needed - start)]) } }

    private static func vertical(_ rows: [[Int]]) -> (low: [[Int]], high: [[Int]]) {
        let count = rows.count
        let columns = rows[0].indices.map { x in
            CRXLine(numbers: rows.map { $0[x] }, start: 0, edges: (0, count - 1))
        }
        return (
            (0..<(count + 1) / 2).map { y in columns.map { $0.low(y) } },
            (0..<count / 2).map { y in columns.map { $0.high(y) } }
        )
    }
}
