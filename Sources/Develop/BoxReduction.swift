import Pixels

/// Averages squares of 2ᵏ × 2ᵏ pixels into whole pixels; with k = 0 only the form changes.
///
/// The squares of 2 × 2 are those of the tiles. Where the picture ends inside a larger square, the last squares of
/// 2 × 2 repeat.
final class BoxReduction {
    private let shift: Int
    /// Rows and columns of 2 × 2 squares, and of whole squares.
    private let pairs: PixelSize
    private let outputWidth: Int
    private let lead: (x: Int, y: Int)
    /// Sums of 2 × 2 squares over the rows of a whole square, one row a channel.
    private let sums: RowStore

    init(horizontal: ResampleAxis, vertical: ResampleAxis) {
        shift = horizontal.boxShift
        lead = (horizontal.lead, vertical.lead)
        outputWidth = horizontal.boxed
        pairs = PixelSize(
            width: (horizontal.input + horizontal.lead + 1) / 2, height: (vertical.input + vertical.lead + 1) / 2)
        sums = RowStore(rows: 3, count: max(outputWidth << max(shift - 1, 0), 1))
    }

    /// The rows of the result that the tiles of a pair of rows can complete: one with averaging, two without.
    func rows(endingAt tile: Tile) -> Range<Int> {
        if shift == 0 { return tile.rows }
        let pair = (tile.y + lead.y) / 2
        let isEnd = (pair + 1) & (mask >> 1) == 0 || pair == pairs.height - 1
        let row = pair >> (shift - 1)
        return isEnd ? row..<(row + 1) : row..<row
    }

    private var mask: Int { (1 << shift) - 1 }

    /// Without averaging: the pixels of a tile's row go to their place in `result`.
    func copy(_ row: PixelRow, _ columns: Range<Int>, into result: UnsafeMutablePointer<SIMD4<Float>>) {
        let part = row.piece(from: columns.lowerBound - row.x, count: columns.count)
        Self.join(part.red, part.green, part.blue, 1, into: result + columns.lowerBound, count: columns.count)
    }

    /// Adds a tile's squares to the sums.
    func add(_ tile: Tile) {
        let pair = (tile.y + lead.y) / 2
        let isFirst = pair & (mask >> 1) == 0
        let column = (tile.x + lead.x) / 2
        // The last pair of rows counts for those the picture does not have.
        let missing = pair == pairs.height - 1 ? (mask >> 1) - (pair & (mask >> 1)) : 0
        let weight = Float(1 + missing)
        let (a, b) = (tile.upper, tile.lower)
        Self.add(a.red, b.red, weight, isFirst, to: sums.row(0) + column, count: tile.count / 2)
        Self.add(a.green, b.green, weight, isFirst, to: sums.row(1) + column, count: tile.count / 2)
        Self.add(a.blue, b.blue, weight, isFirst, to: sums.row(2) + column, count: tile.count / 2)
    }

    private static func add(
        _ a: UnsafePointer<Float>, _ b: UnsafePointer<Float>, _ weight: Float, _ isFirst: Bool,
        to sum: UnsafeMutablePointer<Float>, count: Int
    ) {
        if isFirst {
            for x in 0..<count { sum[x] = ((a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1])) * weight }
        } else {
            for x in 0..<count { sum[x] += ((a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1])) * weight }
        }
    }

    /// The averages of the sums, once a row of squares is complete.
    func finish(into result: UnsafeMutablePointer<SIMD4<Float>>) {
        for channel in 0..<3 {
            let sum = sums.row(channel)
            var count = outputWidth << (shift - 1)
            for x in pairs.width..<max(count, pairs.width) { sum[x] = sum[pairs.width - 1] }
            for _ in 1..<shift {
                count /= 2
                // Reading runs ahead of writing.
                for x in 0..<count { sum[x] = sum[2 * x] + sum[2 * x + 1] }
            }
        }
        let scale = Float(1) / Float(1 << (2 * shift))
        Self.join(sums.row(0), sums.row(1), sums.row(2), scale, into: result, count: outputWidth)
    }

    private static func join(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, _ scale: Float,
        into result: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        for x in 0..<count { result[x] = SIMD4(red[x], green[x], blue[x], 0) * scale }
    }
}
