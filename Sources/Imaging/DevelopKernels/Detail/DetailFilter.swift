import ColourScience
import PictureFormat
import Pixels

/// Changes the detail of another source's tiles, for sensors without a mosaic. Detail is found in green, and all
/// colours of a pixel change by the same amount. Works a row pair at a time, one pair ahead.
final class DetailFilter: TileSource {
    /// Stored row pairs, a power of two.
    private static let depth = 4
    /// Keeps the camera's colours.
    private static let camera = ColourMatrix(.identity)

    private let source: any TileSource
    private let size: PixelSize
    private let lead: TileLead
    private let squares: Int
    private let lastPair: Int
    private let roots: FixedPointRoots
    private let detail: DetailRows
    /// By pair, red, green and blue light of the squares' corners.
    private let pixels: ScratchRows
    /// Changed roots of green, by corner.
    private let changed: Int16ScratchRows
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)
    /// The pair to load next; nil before the first.
    private var next: Int?
    /// The pair whose tiles are filled.
    private var pair = 0

    /// `clip` is the balanced light of a saturated sample, by channel.
    init(_ source: any TileSource, limits: DetailLimits, clip: [Float], size: PixelSize, lead: TileLead) {
        self.source = source
        self.size = size
        self.lead = lead
        squares = (size.width + lead.x + 1) / 2
        lastPair = (size.height + lead.y + 1) / 2 - 1
        roots = FixedPointRoots(clip: clip)
        detail = DetailRows(limits, count: squares)
        pixels = ScratchRows(rows: Tile.planes * Self.depth, count: squares)
        changed = Int16ScratchRows(rows: 4, count: squares)
    }

    func prepare(_ y: Int) {
        pair = (y + lead.y) / 2
        var at = next ?? max(pair - 1, 0)
        while at <= min(pair + 1, lastPair) {
            load(at)
            at += 1
        }
        next = at
        if pair == 0 { detail.repeatFirst(0) }
        if pair == lastPair { detail.repeatLast(lastPair) }
        detail.fill(changed, pair)
    }

    private func load(_ pair: Int) {
        let y = 2 * pair - lead.y
        source.prepare(y)
        for x in stride(from: -lead.x, to: size.width, by: Tile.width) {
            let tile = Tile(in: scratch, x: x, y: y, size: size)
            source.fill(tile, matrix: Self.camera)
            tile.repeatEdges()
            let start = (x + lead.x) / 2
            for index in 0..<Tile.planes {
                let row = pixel(index, pair) + start
                row.update(from: scratch.row(index), count: tile.count)
            }
            for corner in 0..<4 {
                roots.encode(tile.corner(corner).green, into: detail.row(corner, pair) + start, count: tile.count)
            }
        }
        detail.repeatEdges(pair, count: squares)
    }

    @inline(__always)
    private func pixel(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        pixels.row(Tile.planes * (pair & (Self.depth - 1)) + index)
    }

    func fill(_ tile: Tile, matrix: ColourMatrix) {
        let start = (tile.x + lead.x) / 2
        for index in 0..<4 {
            let corner = tile.corner(index)
            let (before, after) = (detail.row(index, pair) + start, changed.row(index) + start)
            for (channel, plane) in [corner.red, corner.green, corner.blue].enumerated() {
                let own = pixel(3 * index + channel, pair) + start
                for x in 0..<corner.count {
                    let root = roots.exactRoot(own[x]) + Float(after[x] &- before[x])
                    let light = roots.light(root > 0 ? root : 0)
                    plane[x] = before[x] == after[x] ? own[x] : light
                }
            }
            matrix.apply(corner)
        }
    }
}
