import Pixels

/// Display-encoded R′G′B′, 0…1, to 8-bit full-range Y′CbCr (ITU-R BT.601-7, as in JFIF 1.02), rounded to nearest.
enum YCbCrConversion {
    private static let red: Float = 0.299
    private static let green: Float = 0.587
    private static let blue: Float = 0.114
    /// 255 / 1.772 and 255 / 1.402: chroma reaches the ends of its range at pure blue and pure red.
    private static let cbScale: Float = 143.90519
    private static let crScale: Float = 181.88303
    /// 2²³. Adding it to a number from 0 to 255 leaves the number, rounded to even, in the low byte: no trapping
    /// conversion.
    private static let integerShifter: Float = 8_388_608

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        // In this form both become the processor's minimum and maximum, and NaN becomes 0.
        let positive = value > 0 ? value : 0
        let clipped = positive < 255 ? positive : 255
        return UInt8(truncatingIfNeeded: (clipped + integerShifter).bitPattern)
    }

    /// Luma of a row from separate even and odd pixels.
    static func luma(_ even: PixelRow, _ odd: PixelRow, into y: UnsafeMutablePointer<UInt8>) {
        let (er, eg, eb) = (even.red, even.green, even.blue)
        let (or, og, ob) = (odd.red, odd.green, odd.blue)
        for x in 0..<even.count {
            y[2 * x] = byte((red * er[x] + green * eg[x] + blue * eb[x]) * 255)
            y[2 * x + 1] = byte((red * or[x] + green * og[x] + blue * ob[x]) * 255)
        }
    }

    /// One chroma sample for each pixel of such a row.
    static func chroma(
        _ even: PixelRow, _ odd: PixelRow, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>
    ) {
        let (er, eg, eb) = (even.red, even.green, even.blue)
        let (or, og, ob) = (odd.red, odd.green, odd.blue)
        for x in 0..<even.count {
            let y = red * er[x] + green * eg[x] + blue * eb[x]
            let z = red * or[x] + green * og[x] + blue * ob[x]
            cb[2 * x] = byte((eb[x] - y) * cbScale + 128)
            cb[2 * x + 1] = byte((ob[x] - z) * cbScale + 128)
            cr[2 * x] = byte((er[x] - y) * crScale + 128)
            cr[2 * x + 1] = byte((or[x] - z) * crScale + 128)
        }
    }

    /// One chroma sample per square, from its mean. Summing the diagonals first gives the same bits in every
    /// orientation.
    static func chromaOfSquares(_ tile: Tile, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>) {
        let (p, q, s, t) = (tile.corner(0), tile.corner(1), tile.corner(2), tile.corner(3))
        for x in 0..<tile.count {
            let r = (p.red[x] + t.red[x]) + (q.red[x] + s.red[x])
            let g = (p.green[x] + t.green[x]) + (q.green[x] + s.green[x])
            let b = (p.blue[x] + t.blue[x]) + (q.blue[x] + s.blue[x])
            let y = red * r + green * g + blue * b
            cb[x] = byte((b - y) * (cbScale / 4) + 128)
            cr[x] = byte((r - y) * (crScale / 4) + 128)
        }
    }

    /// Luma, Cb, Cr and 0 as unsigned fixed-point numbers with 7 fraction bits. Half a step and the 128 of chroma are
    /// already added, so a shift by 7 rounds to bytes. Values outside 0…1 are clamped.
    static func fixedPoint(_ colour: SIMD3<Float>) -> SIMD4<Int16> {
        let clamped = colour.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
        let y = red * clamped.x + green * clamped.y + blue * clamped.z
        func fixedPoint(_ value: Float) -> Int16 { Int16(min(max((value * 128).rounded(), 0), 32_767)) }
        return SIMD4(
            fixedPoint(y * 255 + 0.5), fixedPoint((clamped.z - y) * cbScale + 128.5),
            fixedPoint((clamped.x - y) * crScale + 128.5), 0)
    }
}
