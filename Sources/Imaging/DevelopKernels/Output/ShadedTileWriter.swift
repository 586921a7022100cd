import Pixels

/// Shades another writer's output: multiplies luma, and chroma's distance from grey, by the factor for colours, because
/// both are sums of colours. Only for darkening shade, because brightening would make 8-bit steps coarser.
final class ShadedTileWriter: TileWriter {
    private let writer: any TileWriter
    private let shade: Shade
    private let factors: UnsafeMutablePointer<Float>
    /// In 2⁻¹⁵.
    private let fixed: UnsafeMutablePointer<UInt32>

    init(_ writer: any TileWriter, _ shade: Shade) {
        self.writer = writer
        self.shade = shade
        factors = .allocate(capacity: Tile.width)
        fixed = .allocate(capacity: Tile.width)
    }

    deinit {
        factors.deallocate()
        fixed.deallocate()
    }

    func writeSquares(
        _ tile: Tile, luma: (upper: UnsafeMutablePointer<UInt8>, lower: UnsafeMutablePointer<UInt8>),
        cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        writer.writeSquares(tile, luma: luma, cb: cb, cr: cr)
        prepare(2 * tile.count, Float(tile.x), Float(tile.y), 1)
        darken(luma.upper, 2 * tile.count)
        prepare(2 * tile.count, Float(tile.x), Float(tile.y + 1), 1)
        darken(luma.lower, 2 * tile.count)
        prepare(tile.count, Float(tile.x) + 0.5, Float(tile.y) + 0.5, 2)
        fade(cb, tile.count)
        fade(cr, tile.count)
    }

    func write(
        _ tile: Tile, row: Int, luma: UnsafeMutablePointer<UInt8>, cb: UnsafeMutablePointer<UInt8>,
        cr: UnsafeMutablePointer<UInt8>
    ) {
        writer.write(tile, row: row, luma: luma, cb: cb, cr: cr)
        prepare(2 * tile.count, Float(tile.x), Float(tile.y + row), 1)
        darken(luma, 2 * tile.count)
        fade(cb, 2 * tile.count)
        fade(cr, 2 * tile.count)
    }

    private func prepare(_ count: Int, _ x: Float, _ y: Float, _ step: Float) {
        shade.write(factors, count: count, x: x, y: y, step: step)
        let (factors, fixed) = (factors, fixed)
        for i in 0..<count {
            let factor = factors[i] < 1 ? factors[i] : 1
            fixed[i] = UInt32(truncatingIfNeeded: Int32((factor > 0 ? factor : 0) * 32_768 + 0.5))
        }
    }

    private func darken(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let fixed = fixed
        for i in 0..<count {
            samples[i] = UInt8(truncatingIfNeeded: (UInt32(samples[i]) &* fixed[i] &+ 16_384) &>> 15)
        }
    }

    private func fade(_ samples: UnsafeMutablePointer<UInt8>, _ count: Int) {
        let fixed = fixed
        for i in 0..<count {
            let distance = Int32(samples[i]) &- 128
            let faded = (distance &* Int32(truncatingIfNeeded: fixed[i]) &+ 16_384) &>> 15
            samples[i] = UInt8(truncatingIfNeeded: faded &+ 128)
        }
    }
}
