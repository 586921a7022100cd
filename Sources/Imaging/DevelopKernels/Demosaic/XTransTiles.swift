import PictureFormat
import Pixels

/// Pixels of an X-Trans mosaic and their detail, in fixed-point roots of light.
///
/// Detail is found in green, and all colours of a pixel change by the same amount, which preserves their differences.
/// Works a pair of rows at a time, one pair ahead if detail changes.
final class XTransTiles: RootSource {
    /// Stored row pairs, a power of two.
    private static let depth = 4

    private let source: XTransDemosaic
    private let roots: FixedPointRoots
    private let size: PixelSize
    private let lead: TileLead
    private let squares: Int
    private let lastPair: Int
    /// Nil to keep detail.
    private let detail: DetailRows?
    /// For each pair and corner of its squares: green minus red, green minus blue and, if detail is kept, green.
    private let pixels: Int16ScratchRows
    /// Changed green, by corner.
    private let changed: Int16ScratchRows
    /// The pair to load next; nil before the first.
    private var next: Int?
    /// The pair whose tiles are filled.
    private var pair = 0

    init(_ source: XTransDemosaic, detail limits: DetailLimits?, size: PixelSize, lead: TileLead) {
        self.source = source
        self.size = size
        self.lead = lead
        roots = source.mosaic.roots
        squares = (size.width + lead.x + 1) / 2
        lastPair = (size.height + lead.y + 1) / 2 - 1
        detail = limits.map { [squares] in DetailRows($0, count: squares) }
        pixels = Int16ScratchRows(rows: 12 * Self.depth, count: squares)
        changed = Int16ScratchRows(rows: limits == nil ? 0 : 4, count: squares)
    }

    func prepare(_ y: Int) {
        pair = (y + lead.y) / 2
        let ahead = detail == nil ? 0 : 1
        var at = next ?? max(pair - ahead, 0)
        while at <= min(pair + ahead, lastPair) {
            load(at)
            at += 1
        }
        next = at
        guard let detail else { return }
        if pair == 0 { detail.repeatFirst(0) }
        if pair == lastPair { detail.repeatLast(lastPair) }
        detail.fill(changed, pair)
    }

    /// Original green, or green minus red (1) or blue (2), at one corner of a pair's squares.
    @inline(__always)
    private func pixel(_ index: Int, _ corner: Int, _ pair: Int) -> UnsafeMutablePointer<Int16> {
        if index == 0, let detail { return detail.row(corner, pair) }
        return pixels.row(12 * (pair & (Self.depth - 1)) + 3 * corner + index)
    }

    private func green(_ corner: Int) -> UnsafeMutablePointer<Int16> {
        detail == nil ? pixel(0, corner, pair) : changed.row(corner)
    }

    /// Loads the mosaic's pixels, and repeats rows and columns without a partner in their squares.
    private func load(_ pair: Int) {
        let y = 2 * pair - lead.y
        source.prepare(y)
        let inside = max(y, 0)..<min(y + 2, size.height)
        for own in inside {
            source.make(own)
            for column in 0..<2 { take(column, corner: 2 * (own - y) + column, pair) }
            repeatEnds(2 * (own - y), pair)
        }
        for column in 0..<2 where inside.count == 1 {
            let (from, to) = inside.lowerBound > y ? (2 + column, column) : (column, 2 + column)
            for index in 0..<3 { pixel(index, to, pair).update(from: pixel(index, from, pair), count: squares) }
        }
        detail?.repeatEdges(pair, count: squares)
    }

    /// Takes every other pixel of the current row, in every other pattern column.
    private func take(_ column: Int, corner: Int, _ pair: Int) {
        let first = source.mosaic.columns.lead + column - lead.x
        let range = first / 6..<(first / 2 + squares + 2) / 3
        func three(_ channel: Int) -> (XTransKernel.Row, XTransKernel.Row, XTransKernel.Row) {
            let own = first & 1
            return (source.made(channel, own), source.made(channel, own + 2), source.made(channel, own + 4))
        }
        let green = three(1)
        XTransColumns.joinHalf(green, into: pixel(0, corner, pair) - first / 2, range)
        XTransColumns.joinHalf(green, less: three(0), into: pixel(1, corner, pair) - first / 2, range)
        XTransColumns.joinHalf(green, less: three(2), into: pixel(2, corner, pair) - first / 2, range)
    }

    /// Repeats the first pixel of a row if its square starts before it, and the last likewise.
    private func repeatEnds(_ corner: Int, _ pair: Int) {
        let last = squares - 1
        for index in 0..<3 {
            let (left, right) = (pixel(index, corner, pair), pixel(index, corner + 1, pair))
            if lead.x == 1 { left[0] = right[0] }
            if 2 * last + 1 - lead.x == size.width { right[last] = left[last] }
        }
    }

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        let start = (tile.x + lead.x) / 2
        for index in 0..<4 {
            let corner = tile.corner(index)
            guard tile.rows.contains(corner.y) else { continue }
            decode(
                corner, green(index) + start, pixel(1, index, pair) + start, pixel(2, index, pair) + start, matrix)
        }
    }

    /// `red` and `blue` are green minus the colour.
    @inline(never)
    private func decode(
        _ corner: PixelRow, _ green: UnsafePointer<Int16>, _ red: UnsafePointer<Int16>, _ blue: UnsafePointer<Int16>,
        _ matrix: ColourMatrix
    ) {
        matrix.apply(roots, into: corner) { x in
            .init(green: green[x], greenMinusRed: red[x], greenMinusBlue: blue[x])
        }
    }

    func fillRoots(
        _ y: Int, red: UnsafeMutablePointer<Int16>, green: UnsafeMutablePointer<Int16>,
        blue: UnsafeMutablePointer<Int16>
    ) {
        let top = Int16(FixedPointRoots.max)
        for column in 0..<2 {
            let corner = 2 * (y + lead.y - 2 * pair) + column
            let (middle, lessRed, lessBlue) = (self.green(corner), pixel(1, corner, pair), pixel(2, corner, pair))
            let first = column - lead.x
            for x in -min(first, 0)..<(size.width - first + 1) / 2 {
                green[2 * x + first] = middle[x]
                red[2 * x + first] = min(max(middle[x] &- lessRed[x], 0), top)
                blue[2 * x + first] = min(max(middle[x] &- lessBlue[x], 0), top)
            }
        }
    }
}
