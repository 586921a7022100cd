package import PictureFormat
package import Pixels

/// Writes a picture and its gain map of the same size from the same tiles of light.
///
/// The map has one sample per pixel, for the brightest channel's light, which a photo clips first.
package final class GainMapSink: SizedTileSink {
    package let size: PixelSize
    private let picture: YCbCrSink
    private let map: OrientedPlaneWriter
    private let curve: LightCurve
    private let scratch = ScratchRows(rows: 2, count: Tile.squares)
    /// A tile row that lies partly outside the picture.
    private let spare: UnsafeMutablePointer<UInt8>
    private var lastRow = 0

    /// Proves that the map, which must outlive the sink, has the size of the upright picture: nil otherwise. The curve
    /// is from light to a sample, 0…255.
    package init?(
        _ picture: YCbCrSink, map: borrowing Plane<UInt8>, transform: OrientationTransform, curve: LightCurve
    ) {
        guard map.size == transform.uprightSize, picture.size == transform.sensorSize,
            let map = OrientedPlaneWriter(map, transform: transform, sensorSize: transform.sensorSize)
        else { return nil }
        size = transform.sensorSize
        self.picture = picture
        self.map = map
        self.curve = curve
        spare = .allocate(capacity: Tile.width)
    }

    deinit { spare.deallocate() }

    package func take(_ tile: Tile) {
        for y in tile.rows { write(tile, y) }
        if tile.columns.upperBound == size.width {
            lastRow = tile.rows.upperBound - 1
            map.finish(tile.rows)
        }
        picture.take(tile)
    }

    package func finish() {
        map.flush(through: lastRow)
        picture.finish()
    }

    private func write(_ tile: Tile, _ y: Int) {
        let row = y - tile.y
        let (even, odd) = (samples(tile.corner(2 * row), 0), samples(tile.corner(2 * row + 1), 1))
        let line = map.row(y)
        guard tile.columns.count < 2 * tile.count else {
            Self.interleave(even, odd, tile.count, into: line + tile.x)
            return
        }
        Self.interleave(even, odd, tile.count, into: spare)
        (line + tile.columns.lowerBound).update(
            from: spare + (tile.columns.lowerBound - tile.x), count: tile.columns.count)
    }

    /// Unrounded samples of a corner's pixels, 0…255.
    private func samples(_ light: PixelRow, _ index: Int) -> UnsafeMutablePointer<Float> {
        let result = scratch.row(index)
        let (red, green, blue) = (light.red, light.green, light.blue)
        for x in 0..<light.count {
            let larger = red[x] > green[x] ? red[x] : green[x]
            result[x] = larger > blue[x] ? larger : blue[x]
        }
        curve.map(result, into: result, count: light.count)
        return result
    }

    private static func interleave(
        _ even: UnsafePointer<Float>, _ odd: UnsafePointer<Float>, _ count: Int,
        into samples: UnsafeMutablePointer<UInt8>
    ) {
        for x in 0..<count {
            samples[2 * x] = step(even[x])
            samples[2 * x + 1] = step(odd[x])
        }
    }

    /// The nearest integer to a number from 0 to 255.
    @inline(__always)
    private static func step(_ value: Float) -> UInt8 {
        // 2²³ leaves the number, rounded to even, in the low bits.
        UInt8(truncatingIfNeeded: (value + 8_388_608).bitPattern)
    }
}
