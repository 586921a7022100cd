import Pixels

/// Takes colour noise out of another source's picture: tiles go through it row pair by row pair, and it holds as many
/// as it looks ahead. Squares are those of the tiles, so that they are the picture's own chroma samples too.
final class ChromaSource: TileSource {
    /// Squares averaged on either side.
    private static let reach = 4
    /// Row pairs kept of the picture; of smoothed differences.
    private static let depth = 8
    private static let smoothDepth = 16

    /// Leaves the camera's colours as they are.
    private static let camera = ColourMatrix(.identity)

    private let source: any TileSource
    private let limits: ChromaLimits
    private let size: PixelSize
    private let lead: (x: Int, y: Int)
    private let squares: Int
    private let lastPair: Int
    /// By pair: red, green and blue of two rows.
    private let pixels: RowStore
    /// By pair: the limits' reciprocals.
    private let gates: RowStore
    /// By pair: differences smoothed along rows, and green.
    private let smoothed: RowStore
    /// Differences of a pair; differences smoothed along columns too.
    private let differences: RowStore
    private let scratch = RowStore(rows: 6, count: Tile.width)
    private var next: Int?
    private var pair = 0

    /// - Parameters:
    ///   - size: of the picture.
    ///   - lead: 1 where tiles begin one column or row before the picture.
    init(_ source: any TileSource, limits: ChromaLimits, size: PixelSize, lead: (x: Int, y: Int)) {
        self.source = source
        self.limits = limits
        self.size = size
        self.lead = lead
        squares = (size.width + lead.x + 1) / 2
        lastPair = (size.height + lead.y + 1) / 2 - 1
        pixels = RowStore(rows: 6 * Self.depth, count: 2 * squares)
        gates = RowStore(rows: Self.depth, count: squares)
        smoothed = RowStore(rows: 3 * Self.smoothDepth, count: squares)
        differences = RowStore(rows: 4, count: squares)
    }

    func prepare(_ y: Int) {
        pair = (y + lead.y) / 2
        var at = next ?? max(pair - Self.reach, 0)
        while at <= min(pair + Self.reach, lastPair) {
            load(at)
            smoothRow(at)
            at += 1
        }
        next = at
        smoothColumns()
    }

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        let start = tile.x + lead.x
        let smooth = (
            red: UnsafePointer(differences.row(2) + start / 2), blue: UnsafePointer(differences.row(3) + start / 2)
        )
        for (index, row) in [tile.upper, tile.lower].enumerated() {
            ChromaKernel.restore(
                (
                    UnsafePointer(pixel(3 * index, pair) + start), UnsafePointer(pixel(3 * index + 1, pair) + start),
                    UnsafePointer(pixel(3 * index + 2, pair) + start)
                ), smooth: smooth, gate: gate(pair) + start / 2, into: (row.red, row.green, row.blue),
                squares: tile.count / 2)
            for plane in [row.red, row.green, row.blue] { RootCoding.decode(plane, count: row.count) }
            matrix.apply(row)
        }
    }
}

extension ChromaSource {
    @inline(__always)
    private func pixel(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        pixels.row(6 * (pair & (Self.depth - 1)) + index)
    }

    @inline(__always)
    private func gate(_ pair: Int) -> UnsafeMutablePointer<Float> { gates.row(pair & (Self.depth - 1)) }

    @inline(__always)
    private func smooth(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        smoothed.row(3 * (pair & (Self.smoothDepth - 1)) + index)
    }

    /// The other source's pixels, as roots.
    private func load(_ pair: Int) {
        let y = 2 * pair - lead.y
        source.prepare(y)
        for x in stride(from: -lead.x, to: size.width, by: Tile.width) {
            var tile = Tile(in: scratch, x: x, y: y, size: size)
            source.fill(tile, matrix: Self.camera)
            tile.repeatEdges()
            for index in 0..<6 {
                let row = pixel(index, pair) + x + lead.x
                row.update(from: scratch.row(index), count: tile.count)
                RootCoding.encode(row, count: tile.count)
            }
        }
    }

    private func smoothRow(_ pair: Int) {
        let (red, blue, green) = (differences.row(0), differences.row(1), smooth(2, pair))
        func row(_ index: Int) -> UnsafePointer<Float> { UnsafePointer(pixel(index, pair)) }
        ChromaKernel.squares(
            ((row(0), row(1), row(2)), (row(3), row(4), row(5))), limits: limits, red: red, blue: blue,
            green: green, gate: gate(pair), count: squares)
        for difference in [red, blue, green] {
            for x in 1...Self.reach {
                difference[-x] = difference[0]
                difference[squares - 1 + x] = difference[squares - 1]
            }
        }
        ChromaKernel.smoothRow(
            .init(red: red, blue: blue, green: green), gate: gate(pair), red: smooth(0, pair), blue: smooth(1, pair),
            count: squares)
    }

    private func smoothColumns() {
        // Beyond its edges the picture goes on as it ends.
        func row(_ distance: Int) -> ChromaKernel.Squares {
            let other = min(max(pair + distance, 0), lastPair)
            return .init(red: smooth(0, other), blue: smooth(1, other), green: smooth(2, other))
        }
        ChromaKernel.smoothColumns(
            row(0), before: (row(-4), row(-3), row(-2), row(-1)), after: (row(1), row(2), row(3), row(4)),
            gate: gate(pair), red: differences.row(2), blue: differences.row(3), count: squares)
    }
}
