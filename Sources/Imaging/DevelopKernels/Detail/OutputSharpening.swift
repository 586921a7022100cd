import PictureFormat
import Pixels

/// Sharpens a reduced picture between resampling and output.
///
/// Detail is found in luminance, and all colours of a pixel are multiplied by the same factor, which preserves the
/// colour. Works a row pair at a time, and passes on a pair when the next one is complete.
final class OutputSharpening: TileSink {
    /// Stored row pairs, a power of two.
    private static let depth = 4
    /// Luminance of scene light in the primaries of Rec. 2020 (ITU-R BT.2020, 2015).
    private static let luminance: (red: Float, green: Float, blue: Float) = (0.2627, 0.6780, 0.0593)
    /// Maximum light whose detail is sharpened: four stops above the white of a picture without highlights.
    static let brightest: [Float] = [16]

    private let target: any SizedTileSink
    private let lead: TileLead
    private let pairs: Range<Int>
    private let lastPair: Int
    private let squares: Int
    private let roots = FixedPointRoots(clip: brightest)
    private let detail: DetailRows
    /// By pair, light of the squares' corners.
    private let pixels: ScratchRows
    /// Changed roots of luminance, by corner.
    private let changed: Int16ScratchRows
    /// Luminance of one corner, or the factor of its light.
    private let luminances = ScratchRows(rows: 1, count: Tile.squares)
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)

    /// Passes on `rows`, whole pairs in the sensor's order.
    init(_ limits: DetailLimits, rows: Range<Int>, lead: TileLead, target: any SizedTileSink) {
        self.target = target
        self.lead = lead
        pairs = (rows.lowerBound + lead.y) / 2..<(rows.upperBound + lead.y + 1) / 2
        lastPair = (target.size.height + lead.y + 1) / 2 - 1
        squares = (target.size.width + lead.x + 1) / 2
        detail = DetailRows(limits, count: squares)
        pixels = ScratchRows(rows: Tile.planes * Self.depth, count: squares)
        changed = Int16ScratchRows(rows: 4, count: squares)
    }

    /// Rows needed for `rows` of a picture: one more pair at either side.
    static func inputs(of rows: Range<Int>, height: Int) -> Range<Int> {
        rows.isEmpty ? rows : max(rows.lowerBound - 2, 0)..<min(rows.upperBound + 2, height)
    }

    @inline(__always)
    private func pixel(_ index: Int, _ pair: Int) -> UnsafeMutablePointer<Float> {
        pixels.row(Tile.planes * (pair & (Self.depth - 1)) + index)
    }

    func take(_ tile: Tile) {
        let pair = (tile.y + lead.y) / 2
        let start = (tile.x + lead.x) / 2
        let weights = Self.luminance
        for index in 0..<4 {
            let corner = tile.corner(index)
            for (channel, plane) in [corner.red, corner.green, corner.blue].enumerated() {
                (pixel(3 * index + channel, pair) + start).update(from: plane, count: tile.count)
            }
            let luminance = luminances.row(0)
            for x in 0..<tile.count {
                luminance[x] =
                    weights.red * corner.red[x] + weights.green * corner.green[x] + weights.blue * corner.blue[x]
            }
            roots.encode(luminance, into: detail.row(index, pair) + start, count: tile.count)
        }
        guard tile.columns.upperBound == target.size.width else { return }
        detail.repeatEdges(pair, count: squares)
        if pair == 0 { detail.repeatFirst(0) }
        if pairs.contains(pair - 1) { handOn(pair - 1) }
        if pair == lastPair, pairs.contains(pair) {
            detail.repeatLast(pair)
            handOn(pair)
        }
    }

    func finish() { target.finish() }

    private func handOn(_ pair: Int) {
        detail.fill(changed, pair)
        for x in stride(from: -lead.x, to: target.size.width, by: Tile.width) {
            let tile = Tile(in: scratch, x: x, y: 2 * pair - lead.y, size: target.size)
            fill(tile, pair)
            target.take(tile)
        }
    }

    private func fill(_ tile: Tile, _ pair: Int) {
        let start = (tile.x + lead.x) / 2
        for index in 0..<4 {
            let corner = tile.corner(index)
            let (before, after) = (detail.row(index, pair) + start, changed.row(index) + start)
            let gains = luminances.row(0)
            for x in 0..<corner.count {
                let factor = Float(after[x]) / (before[x] > 0 ? Float(before[x]) : 1)
                gains[x] = before[x] == after[x] ? 1 : factor * factor * factor
            }
            Self.multiply(pixel(3 * index, pair) + start, by: gains, into: corner.red, corner.count)
            Self.multiply(pixel(3 * index + 1, pair) + start, by: gains, into: corner.green, corner.count)
            Self.multiply(pixel(3 * index + 2, pair) + start, by: gains, into: corner.blue, corner.count)
        }
    }

    /// A separate loop per channel: compilers do not vectorise over more pointers.
    private static func multiply(
        _ light: UnsafePointer<Float>, by gains: UnsafePointer<Float>, into target: UnsafeMutablePointer<Float>,
        _ count: Int
    ) {
        for x in 0..<count { target[x] = light[x] * gains[x] }
    }
}
