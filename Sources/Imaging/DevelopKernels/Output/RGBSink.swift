package import PictureFormat
import Pixels

/// Renders tiles of light and writes them as 16-bit R′G′B′ into the upright picture. Values are rounded without
/// dithering, because the sensor's noise is several steps wide in any photo.
package final class RGBSink: SizedTileSink {
    package let size: PixelSize
    private let writer: OrientedRGBWriter
    private let rendering: Rendering
    private let scratch = ScratchRows(rows: Tile.planes, count: Tile.squares)
    /// A tile row that lies partly outside the picture.
    private let spare: UnsafeMutablePointer<UInt16>

    package init(_ writer: OrientedRGBWriter, rendering: Rendering) {
        size = writer.transform.sensorSize
        self.writer = writer
        self.rendering = rendering
        spare = .allocate(capacity: 3 * Tile.width)
    }

    deinit { spare.deallocate() }

    package func take(_ tile: Tile) {
        for y in tile.rows { write(tile, row: y - tile.y) }
        if tile.columns.upperBound == size.width { writer.finish(tile.rows) }
    }

    package func finish() {}

    private func write(_ tile: Tile, row: Int) {
        let result = tile.moved(to: scratch)
        for corner in 2 * row..<2 * row + 2 { rendering.render(tile.corner(corner), into: result.corner(corner)) }
        let (left, right) = (result.corner(2 * row), result.corner(2 * row + 1))
        let columns = tile.columns
        let line = writer.row(tile.y + row)
        guard columns.count < 2 * tile.count else {
            Self.interleave(left, right, into: line + 3 * tile.x)
            return
        }
        Self.interleave(left, right, into: spare)
        (line + 3 * columns.lowerBound).update(
            from: spare + 3 * (columns.lowerBound - tile.x), count: 3 * columns.count)
    }

    private static func interleave(
        _ even: PixelRow, _ odd: PixelRow, into samples: UnsafeMutablePointer<UInt16>
    ) {
        let (er, eg, eb) = (even.red, even.green, even.blue)
        let (or, og, ob) = (odd.red, odd.green, odd.blue)
        for x in 0..<even.count {
            samples[6 * x] = step(er[x])
            samples[6 * x + 1] = step(eg[x])
            samples[6 * x + 2] = step(eb[x])
            samples[6 * x + 3] = step(or[x])
            samples[6 * x + 4] = step(og[x])
            samples[6 * x + 5] = step(ob[x])
        }
    }

    /// The nearest of 65,536 steps, clipped to 0…1. NaN becomes 0.
    @inline(__always)
    private static func step(_ value: Float) -> UInt16 {
        let positive = value > 0 ? value : 0
        let clipped = positive < 1 ? positive : 1
        // 2²³ leaves the number, rounded to even, in the low bits.
        return UInt16(truncatingIfNeeded: (clipped * 65_535 + 8_388_608).bitPattern)
    }
}
