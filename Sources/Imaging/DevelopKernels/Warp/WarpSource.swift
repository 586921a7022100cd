import ColourScience
import PictureFormat
import Pixels

/// A source of pixels as roots of light.
protocol RootSource: TileSource {
    /// Writes the prepared row `y` of the picture in reading order.
    func fillRoots(
        _ y: Int, red: UnsafeMutablePointer<Int16>, green: UnsafeMutablePointer<Int16>,
        blue: UnsafeMutablePointer<Int16>)
}

/// Moves another source's pixels to where a perfect lens would show them. Works in fixed-point roots of light, where
/// detail is alike in shadows and highlights, a pair of source rows at a time.
final class WarpSource: TileSource {
    private static let camera = ColourMatrix(.identity)

    private let source: any TileSource
    private let rows: WarpRows
    private let field: WarpField
    private let roots: FixedPointRoots
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)
    private let halves = Int16ScratchRows(rows: 2, count: Tile.squares)
    /// A tile's row: red, green and blue, each with even columns, then odd columns.
    private let pixels = Int16ScratchRows(rows: 6, count: Tile.width / 2 + 32)
    /// By plane, row offsets of the current pair.
    private let offsets: UnsafeMutablePointer<Int32>
    /// The source row to load next; nil before the first.
    private var next: Int?
    private var y = 0

    /// The source makes a picture of `field.source` pixels, whose tiles have no lead. `clip` is the balanced light of a
    /// saturated sample, by channel.
    init(_ source: any TileSource, field: WarpField, clip: [Float]) {
        self.source = source
        self.field = field
        rows = WarpRows(field)
        roots = FixedPointRoots(clip: clip)
        offsets = .allocate(capacity: 2 * field.planes * field.columns)
    }

    deinit { offsets.deallocate() }

    func prepare(_ y: Int) {
        self.y = y
        let needed = field.sourceRows(y)
        var at = next ?? needed.lowerBound & ~1
        while at <= needed.upperBound {
            load(at)
            at += 2
        }
        next = at
        for row in 0..<2 where (0..<field.size.height).contains(y + row) {
            for plane in 0..<field.planes { field.down(plane, y + row, into: offset(row, plane)) }
        }
    }

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        for y in tile.rows {
            let first = tile.columns.lowerBound / WarpField.cell
            let end = (tile.columns.upperBound + WarpField.cell - 1) / WarpField.cell
            interpolate(first..<end, y)
            for column in 0..<2 {
                let corner = tile.corner(2 * (y - tile.y) + column)
                decode(corner, half: corner.x & 1, from: (corner.x - first * WarpField.cell) >> 1, matrix)
            }
        }
    }

    /// The light of pixels from index `first` of their half on.
    @inline(never)
    private func decode(_ corner: PixelRow, half: Int, from first: Int, _ matrix: ColourMatrix) {
        let (r, g, b) = (pixels.row(half) + first, pixels.row(2 + half) + first, pixels.row(4 + half) + first)
        matrix.apply(roots, into: corner) { x in
            .init(green: g[x], greenMinusRed: g[x] &- r[x], greenMinusBlue: g[x] &- b[x])
        }
    }

    @inline(__always)
    private func offset(_ row: Int, _ plane: Int) -> UnsafeMutablePointer<Int32> {
        offsets + (row * field.planes + plane) * field.columns
    }

    /// The second step of the warp: interpolates cells between stretched rows.
    private func interpolate(_ cells: Range<Int>, _ y: Int) {
        let size = 3 / field.planes
        for plane in 0..<field.planes {
            rows.bend(
                cells, y, offset(y - self.y, plane), channels: plane..<plane + size, even: pixels.row(2 * plane),
                odd: pixels.row(2 * plane + 1), stride: 2 * pixels.strideSamples)
        }
    }
}

// MARK: - Loading

extension WarpSource {
    private func load(_ y: Int) {
        source.prepare(y)
        let inside = y..<min(y + 2, field.source.height)
        if let source = source as? any RootSource {
            for row in inside {
                let index = row - y
                source.fillRoots(
                    row, red: rows.target(index, channel: 0), green: rows.target(index, channel: 1),
                    blue: rows.target(index, channel: 2))
            }
        } else {
            for x in stride(from: 0, to: field.source.width, by: Tile.width) {
                let tile = Tile(in: scratch, x: x, y: y, size: field.source)
                source.fill(tile, matrix: Self.camera)
                tile.repeatEdges()
                encode(tile, inside)
            }
        }
        for row in inside { rows.stretch(row, row: row - y) }
    }

    private func encode(_ tile: Tile, _ inside: Range<Int>) {
        for row in inside {
            let (left, right) = (tile.corner(2 * (row - tile.y)), tile.corner(2 * (row - tile.y) + 1))
            for (channel, planes) in [(left.red, right.red), (left.green, right.green), (left.blue, right.blue)]
                .enumerated()
            {
                let (even, odd) = (halves.row(0), halves.row(1))
                roots.encode(planes.0, into: even, count: tile.count)
                roots.encode(planes.1, into: odd, count: tile.count)
                RowJoin.join(even, odd, into: rows.target(row - tile.y, channel: channel) + tile.x, count: tile.count)
            }
        }
    }
}

enum RowJoin {
    static func join(
        _ even: UnsafePointer<Int16>, _ odd: UnsafePointer<Int16>, into row: UnsafeMutablePointer<Int16>, count: Int
    ) {
        for x in 0..<count {
            row[2 * x] = even[x]
            row[2 * x + 1] = odd[x]
        }
    }
}
