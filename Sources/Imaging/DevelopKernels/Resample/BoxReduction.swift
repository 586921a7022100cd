import PictureFormat
import Pixels

/// Sums squares of 2ᵏ × 2ᵏ pixels to one pixel each; `scale` turns sums into averages. The squares of 2 × 2 are the
/// tiles'. Where the picture ends inside a larger square, its last squares of 2 × 2 are repeated.
final class BoxReduction {
    private let shift: Int
    /// Columns and rows of 2 × 2 squares.
    private let pairs: PixelSize
    /// Columns of whole squares.
    private let outputWidth: Int
    private let lead: TileLead
    /// Sums of 2 × 2 squares over the rows of a larger square, one row per channel.
    private let sums: ScratchRows

    init(horizontal: ResampleAxis, vertical: ResampleAxis) {
        shift = horizontal.boxShift
        lead = TileLead(x: horizontal.lead, y: vertical.lead)
        outputWidth = horizontal.boxed
        pairs = PixelSize(
            width: (horizontal.input + horizontal.lead + 1) / 2, height: (vertical.input + vertical.lead + 1) / 2)
        sums = ScratchRows(rows: 3, count: shift > 1 ? outputWidth << (shift - 1) : 1)
    }

    /// Turns sums into averages. As a power of two it is exact, and may be applied in any later step.
    var scale: Float { 1 / Float(1 << (2 * shift)) }

    /// Result rows that the tiles of a row pair complete: at most one with averaging, two without.
    func rows(endingAt tile: Tile) -> Range<Int> {
        if shift == 0 { return tile.rows }
        let row = row(of: tile)
        let pair = (tile.y + lead.y) / 2
        let isEnd = (pair + 1) & (mask >> 1) == 0 || pair == pairs.height - 1
        return isEnd ? row..<(row + 1) : row..<row
    }

    /// With averaging, the result row of a tile's row pair.
    func row(of tile: Tile) -> Int { ((tile.y + lead.y) / 2) >> (shift - 1) }

    private var mask: Int { (1 << shift) - 1 }

    /// Adds a tile's squares to the sums for `result`.
    func add(_ tile: Tile, into result: PlanarRow) {
        let target = shift == 1 ? result : PlanarRow(red: sums.row(0), green: sums.row(1), blue: sums.row(2))
        let pair = (tile.y + lead.y) / 2
        let isFirst = pair & (mask >> 1) == 0
        let column = (tile.x + lead.x) / 2
        // The last row pair replaces missing ones.
        let missing = pair == pairs.height - 1 ? (mask >> 1) - (pair & (mask >> 1)) : 0
        let weight = Float(1 + missing)
        let (a, b, c, d) = (tile.corner(0), tile.corner(1), tile.corner(2), tile.corner(3))
        Self.add((a.red, b.red, c.red, d.red), weight, isFirst, to: target.red + column, tile.count)
        Self.add((a.green, b.green, c.green, d.green), weight, isFirst, to: target.green + column, tile.count)
        Self.add((a.blue, b.blue, c.blue, d.blue), weight, isFirst, to: target.blue + column, tile.count)
    }

    private typealias Row = UnsafeMutablePointer<Float>

    private static func add(
        _ corners: (Row, Row, Row, Row), _ weight: Float, _ isFirst: Bool, to sum: Row, _ count: Int
    ) {
        let (a, b, c, d) = corners
        if isFirst {
            for x in 0..<count { sum[x] = ((a[x] + b[x]) + (c[x] + d[x])) * weight }
        } else {
            for x in 0..<count { sum[x] += ((a[x] + b[x]) + (c[x] + d[x])) * weight }
        }
    }

    /// Completes a row of squares larger than 2 × 2.
    func finish(into result: PlanarRow) {
        if shift == 1 { return }
        for (channel, target) in [result.red, result.green, result.blue].enumerated() {
            let sum = sums.row(channel)
            var count = outputWidth << (shift - 1)
            for x in pairs.width..<max(count, pairs.width) { sum[x] = sum[pairs.width - 1] }
            for _ in 1..<shift {
                count /= 2
                // In place: reading runs ahead of writing.
                for x in 0..<count { sum[x] = sum[2 * x] + sum[2 * x + 1] }
            }
            target.update(from: sum, count: outputWidth)
        }
    }
}
