import Pixels

/// Edge-directed interpolation of a Bayer mosaic, a pair of rows at a time.
///
/// 1. Green minus red (or blue) is estimated along the row and along the column at every sample.
/// 2. At each red and blue sample both are blended by how little they change: that gives green there.
/// 3. Red and blue elsewhere follow from the mean of the differences around them.
final class BayerSource: TileSource {
    let holdsRoots = true

    private static let depth = 4

    private let mosaic: MosaicRows
    /// Vertical differences by pair: at red, at green below red, at blue, at green above blue.
    private let vertical: RowStore
    /// By pair, for red and then for blue: change and smoothed difference along the row, then along the column.
    private let directions: RowStore
    /// By pair: green - red at red, green - blue at blue.
    private let differences: RowStore
    /// Differences along one row: at red or blue, at green.
    private let scratch: RowStore
    /// The next pair of each step.
    private var next: (load: Int, vertical: Int, direction: Int, difference: Int)?

    init(_ mosaic: MosaicRows) {
        self.mosaic = mosaic
        vertical = RowStore(rows: 4 * Self.depth, count: mosaic.count)
        directions = RowStore(rows: 8 * Self.depth, count: mosaic.count)
        differences = RowStore(rows: 2 * Self.depth, count: mosaic.count)
        scratch = RowStore(rows: 2, count: mosaic.count)
    }

    func prepare(_ y: Int) {
        // The pairs that rows y and y + 1 belong to: one or two.
        let first = (y + mosaic.leadY) >> 1
        let last = (y + 1 + mosaic.leadY) >> 1
        if next == nil { next = (first - 4, first - 3, first - 2, first - 1) }
        while let pair = next?.difference, pair <= last + 1 { prepareDifference(pair) }
    }

    func fill(_ tile: Tile) {
        for row in [tile.upper, tile.lower] where tile.rows.contains(row.y) {
            let y = row.y + mosaic.leadY
            if y & 1 == 0 { writeUpper(y >> 1, row) } else { writeLower(y >> 1, row) }
        }
    }

    /// The differences of the next pair, and before it what they are made of.
    private func prepareDifference(_ pair: Int) {
        guard var at = next else { return }
        while at.direction <= pair + 1 {
            while at.vertical <= at.direction + 1 {
                while at.load <= at.vertical + 1 {
                    mosaic.load(at.load)
                    at.load += 1
                }
                makeVertical(at.vertical)
                at.vertical += 1
            }
            makeHorizontalDirection(at.direction)
            makeVerticalDirection(at.direction)
            at.direction += 1
        }
        makeDifference(pair)
        at.difference = pair + 1
        next = at
    }
}

// MARK: - Step 1

extension BayerSource {
    /// Each step needs one more sample at either end than the one after it.
    private func range(beyond samples: Int) -> Range<Int> { -samples..<(mosaic.count + samples) }

    @inline(__always)
    private func vertical(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        vertical.row(4 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    private func direction(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        directions.row(8 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    private func difference(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        differences.row(2 * (pair & (Self.depth - 1)) + index)
    }

    private func makeVertical(_ p: Int) {
        let range = range(beyond: 2)
        let m = mosaic
        ColourDifference.atOther(
            before: m.half(2, p - 1), after: m.half(2, p), previous: m.half(0, p - 1), other: m.half(0, p),
            next: m.half(0, p + 1), into: vertical(0, p), range)
        ColourDifference.atGreen(
            before: m.half(0, p), after: m.half(0, p + 1), previous: m.half(2, p - 1), green: m.half(2, p),
            next: m.half(2, p + 1), into: vertical(1, p), range)
        ColourDifference.atOther(
            before: m.half(1, p), after: m.half(1, p + 1), previous: m.half(3, p - 1), other: m.half(3, p),
            next: m.half(3, p + 1), into: vertical(2, p), range)
        ColourDifference.atGreen(
            before: m.half(3, p - 1), after: m.half(3, p), previous: m.half(1, p - 1), green: m.half(1, p),
            next: m.half(1, p + 1), into: vertical(3, p), range)
    }

    private func makeVerticalDirection(_ p: Int) {
        let range = range(beyond: 2)
        let red = (vertical(0, p - 1), vertical(0, p), vertical(0, p + 1), vertical(1, p - 1), vertical(1, p))
        ColourDifference.change(
            previous: red.0, own: red.1, next: red.2, before: red.3, after: red.4, into: direction(2, p), range)
        ColourDifference.smooth(
            previous: red.0, own: red.1, next: red.2, before: red.3, after: red.4, into: direction(3, p), range)
        let blue = (vertical(2, p - 1), vertical(2, p), vertical(2, p + 1), vertical(3, p), vertical(3, p + 1))
        ColourDifference.change(
            previous: blue.0, own: blue.1, next: blue.2, before: blue.3, after: blue.4, into: direction(6, p), range)
        ColourDifference.smooth(
            previous: blue.0, own: blue.1, next: blue.2, before: blue.3, after: blue.4, into: direction(7, p), range)
    }

    private func makeHorizontalDirection(_ p: Int) {
        // In the upper row green is after red, in the lower row before blue.
        makeHorizontalDirection(other: mosaic.half(0, p), green: mosaic.half(1, p), greenBefore: -1, pair: p, index: 0)
        makeHorizontalDirection(other: mosaic.half(3, p), green: mosaic.half(2, p), greenBefore: 0, pair: p, index: 4)
    }

    /// - Parameter greenBefore: the index, from that of a sample of the other colour, of the green before it.
    private func makeHorizontalDirection(
        other: UnsafePointer<Float>, green: UnsafePointer<Float>, greenBefore: Int, pair: Int, index: Int
    ) {
        let own = scratch.row(0)
        let atGreen = scratch.row(1)
        ColourDifference.atOther(
            before: green + greenBefore, after: green + greenBefore + 1, previous: other - 1, other: other,
            next: other + 1, into: own, range(beyond: 4))
        ColourDifference.atGreen(
            before: other - greenBefore - 1, after: other - greenBefore, previous: green - 1, green: green,
            next: green + 1, into: atGreen, range(beyond: 4))
        ColourDifference.change(
            previous: own - 1, own: own, next: own + 1, before: atGreen + greenBefore,
            after: atGreen + greenBefore + 1, into: direction(index, pair), range(beyond: 2))
        ColourDifference.smooth(
            previous: own - 1, own: own, next: own + 1, before: atGreen + greenBefore,
            after: atGreen + greenBefore + 1, into: direction(index + 1, pair), range(beyond: 2))
    }
}

// MARK: - Steps 2 and 3

extension BayerSource {
    private func makeDifference(_ p: Int) {
        let range = range(beyond: 1)
        ColourDifference.blend(
            .init(
                change: direction(0, p), changeBefore: direction(4, p - 1), changeAfter: direction(4, p),
                smooth: direction(1, p)),
            .init(
                change: direction(2, p), changeBefore: direction(6, p - 1), changeAfter: direction(6, p),
                smooth: direction(3, p)),
            shift: -1, into: difference(0, p), range)
        ColourDifference.blend(
            .init(
                change: direction(4, p), changeBefore: direction(0, p), changeAfter: direction(0, p + 1),
                smooth: direction(5, p)),
            .init(
                change: direction(6, p), changeBefore: direction(2, p), changeAfter: direction(2, p + 1),
                smooth: direction(7, p)),
            shift: 1, into: difference(1, p), range)
    }

    /// Where a row begins in the half rows, and what to write so that column 0 of a pair is even.
    private func alignment(_ row: PixelRow) -> (start: Int, row: PixelRow, pairs: Int) {
        let column = row.x + mosaic.leadX
        let odd = column & 1
        return (column >> 1, row.piece(from: -odd, count: row.count + odd), (row.count + odd + 1) / 2)
    }

    /// Red and green by turns.
    private func writeUpper(_ p: Int, _ row: PixelRow) {
        let (start, row, count) = alignment(row)
        let red = mosaic.half(0, p) + start
        let green = mosaic.half(1, p) + start
        let d = difference(0, p) + start
        let above = difference(1, p - 1) + start
        let below = difference(1, p) + start
        let (r, g, b) = (row.red, row.green, row.blue)
        for x in 0..<count {
            r[2 * x] = red[x]
            r[2 * x + 1] = green[x] - (d[x] + d[x + 1]) * 0.5
        }
        for x in 0..<count {
            g[2 * x] = red[x] + d[x]
            g[2 * x + 1] = green[x]
        }
        for x in 0..<count {
            b[2 * x] = red[x] + d[x] - ((above[x - 1] + above[x]) + (below[x - 1] + below[x])) * 0.25
            b[2 * x + 1] = green[x] - (above[x] + below[x]) * 0.5
        }
    }

    /// Green and blue by turns.
    private func writeLower(_ p: Int, _ row: PixelRow) {
        let (start, row, count) = alignment(row)
        let green = mosaic.half(2, p) + start
        let blue = mosaic.half(3, p) + start
        let d = difference(1, p) + start
        let above = difference(0, p) + start
        let below = difference(0, p + 1) + start
        let (r, g, b) = (row.red, row.green, row.blue)
        for x in 0..<count {
            r[2 * x] = green[x] - (above[x] + below[x]) * 0.5
            r[2 * x + 1] = blue[x] + d[x] - ((above[x] + above[x + 1]) + (below[x] + below[x + 1])) * 0.25
        }
        for x in 0..<count {
            g[2 * x] = green[x]
            g[2 * x + 1] = blue[x] + d[x]
        }
        for x in 0..<count {
            b[2 * x] = green[x] - (d[x - 1] + d[x]) * 0.5
            b[2 * x + 1] = blue[x]
        }
    }
}
