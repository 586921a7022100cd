import ColourScience
import PictureFormat
import Pixels

/// Removes colour noise from another source's tiles. Works a row pair at a time, and keeps as many pairs as the filter
/// looks ahead. Its squares are those of the tiles, and thus of the picture's chroma samples.
final class ChromaNoiseFilter: TileSource {
    /// Squares averaged on either side.
    private static let reach = 4
    /// Stored row pairs of the picture, a power of two.
    private static let depth = 8
    /// Stored row pairs of smoothed differences, a power of two.
    private static let smoothDepth = 16

    /// Keeps the camera's colours.
    private static let camera = ColourMatrix(.identity)

    private let source: any TileSource
    private let limits: ChromaNoiseLimits
    private let size: PixelSize
    private let lead: TileLead
    private let squares: Int
    private let lastPair: Int
    /// By pair, roots of red, green and blue at the squares' corners.
    private let pixels: ScratchRows
    /// By pair, reciprocals of the squared limits.
    private let inverseLimits: ScratchRows
    /// By pair, differences smoothed along rows, and green.
    private let smoothed: ScratchRows
    /// Both differences of a pair, and both smoothed along rows and columns.
    private let differences: ScratchRows
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)
    /// The pair to load next; nil before the first.
    private var next: Int?
    /// The pair whose tiles are filled.
    private var pair = 0

    init(_ source: any TileSource, limits: ChromaNoiseLimits, size: PixelSize, lead: TileLead) {
        self.source = source
        self.limits = limits
        self.size = size
        self.lead = lead
        squares = (size.width + lead.x + 1) / 2
        lastPair = (size.height + lead.y + 1) / 2 - 1
        pixels = ScratchRows(rows: Tile.planes * Self.depth, count: squares)
        inverseLimits = ScratchRows(rows: Self.depth, count: squares)
        smoothed = ScratchRows(rows: 3 * Self.smoothDepth, count: squares)
        differences = ScratchRows(rows: 4, count: squares)
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
        let start = (tile.x + lead.x) / 2
        let smooth = (
            red: UnsafePointer(differences.row(2) + start), blue: UnsafePointer(differences.row(3) + start)
        )
        for index in 0..<4 {
            let corner = tile.corner(index)
            let own = colours(index, pair)
            ChromaNoiseKernel.restore(
                (own.red + start, own.green + start, own.blue + start), smooth: smooth,
                inverseLimit: inverseLimit(pair) + start,
                into: (corner.red, corner.green, corner.blue), count: corner.count)
            for plane in [corner.red, corner.green, corner.blue] {
                SquareRootEncoding.decode(plane, count: corner.count)
            }
            matrix.apply(corner)
        }
    }
}

extension ChromaNoiseFilter {
    @inline(__always)
    private func pixel(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        pixels.row(Tile.planes * (pair & (Self.depth - 1)) + index)
    }

    private func colours(_ corner: Int, _ pair: Int) -> ChromaNoiseKernel.Colours {
        .init(red: pixel(3 * corner, pair), green: pixel(3 * corner + 1, pair), blue: pixel(3 * corner + 2, pair))
    }

    @inline(__always)
    private func inverseLimit(_ pair: Int) -> UnsafeMutablePointer<Float> { inverseLimits.row(pair & (Self.depth - 1)) }

    @inline(__always)
    private func smooth(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        smoothed.row(3 * (pair & (Self.smoothDepth - 1)) + index)
    }

    private func load(_ pair: Int) {
        let y = 2 * pair - lead.y
        source.prepare(y)
        for x in stride(from: -lead.x, to: size.width, by: Tile.width) {
            let tile = Tile(in: scratch, x: x, y: y, size: size)
            source.fill(tile, matrix: Self.camera)
            tile.repeatEdges()
            for index in 0..<Tile.planes {
                let row = pixel(index, pair) + (x + lead.x) / 2
                row.update(from: scratch.row(index), count: tile.count)
                SquareRootEncoding.encode(row, count: tile.count)
            }
        }
    }

    private func smoothRow(_ pair: Int) {
        let (red, blue, green) = (differences.row(0), differences.row(1), smooth(2, pair))
        ChromaNoiseKernel.squares(
            upper: (colours(0, pair), colours(1, pair)), lower: (colours(2, pair), colours(3, pair)), limits: limits,
            red: red, blue: blue, green: green, inverseLimit: inverseLimit(pair), count: squares)
        for difference in [red, blue, green] {
            for x in 1...Self.reach {
                difference[-x] = difference[0]
                difference[squares - 1 + x] = difference[squares - 1]
            }
        }
        ChromaNoiseKernel.smoothRow(
            .init(red: red, blue: blue, green: green), inverseLimit: inverseLimit(pair), red: smooth(0, pair),
            blue: smooth(1, pair),
            count: squares)
    }

    private func smoothColumns() {
        // The picture is constant beyond its edges.
        func row(_ distance: Int) -> ChromaNoiseKernel.Squares {
            let other = min(max(pair + distance, 0), lastPair)
            return .init(red: smooth(0, other), blue: smooth(1, other), green: smooth(2, other))
        }
        ChromaNoiseKernel.smoothColumns(
            row(0), before: (row(-4), row(-3), row(-2), row(-1)), after: (row(1), row(2), row(3), row(4)),
            inverseLimit: inverseLimit(pair), red: differences.row(2), blue: differences.row(3), count: squares)
    }
}
