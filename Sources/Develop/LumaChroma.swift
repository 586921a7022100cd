import Pixels

/// Display-encoded R′G′B′ 0…1 to 8-bit full-range Y′CbCr (ITU-R BT.601-7, as JFIF 1.02 uses it), rounded to nearest.
enum LumaChroma {
    private static let red: Float = 0.299
    private static let green: Float = 0.587
    private static let blue: Float = 0.114
    /// 255 / 1.772 and 255 / 1.402: chroma reaches the ends of its range at pure blue and red.
    private static let cbScale: Float = 143.90519
    private static let crScale: Float = 181.88303
    /// Adding 2²³ to a number from 0 to 255 leaves it, rounded to even, in the low byte: no conversion that can trap.
    private static let rounder: Float = 8_388_608

    @inline(__always)
    private static func byte(_ value: Float) -> UInt8 {
        // In this form both become the processor's own minimum and maximum; what is no number becomes 0.
        let positive = value > 0 ? value : 0
        let clipped = positive < 255 ? positive : 255
        return UInt8(truncatingIfNeeded: (clipped + rounder).bitPattern)
    }

    static func luma(_ row: PixelRow, into y: UnsafeMutablePointer<UInt8>) {
        let (r, g, b) = (row.red, row.green, row.blue)
        for x in 0..<row.count {
            y[x] = byte((red * r[x] + green * g[x] + blue * b[x]) * 255)
        }
    }

    /// One chroma sample a pixel.
    static func chroma(_ row: PixelRow, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>) {
        let (r, g, b) = (row.red, row.green, row.blue)
        for x in 0..<row.count {
            let y = red * r[x] + green * g[x] + blue * b[x]
            cb[x] = byte((b[x] - y) * cbScale + 128)
            cr[x] = byte((r[x] - y) * crScale + 128)
        }
    }

    /// One chroma sample for each 2 × 2 pixels of two rows of `2 * count` pixels: that of their mean. Summing by the
    /// diagonals gives the same bits however the square is turned.
    static func chromaOfSquares(
        upper: PixelRow, lower: PixelRow, cb: UnsafeMutablePointer<UInt8>, cr: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let (ur, ug, ub) = (upper.red, upper.green, upper.blue)
        let (lr, lg, lb) = (lower.red, lower.green, lower.blue)
        for x in 0..<count {
            let r = (ur[2 * x] + lr[2 * x + 1]) + (ur[2 * x + 1] + lr[2 * x])
            let g = (ug[2 * x] + lg[2 * x + 1]) + (ug[2 * x + 1] + lg[2 * x])
            let b = (ub[2 * x] + lb[2 * x + 1]) + (ub[2 * x + 1] + lb[2 * x])
            let y = red * r + green * g + blue * b
            cb[x] = byte((b - y) * (cbScale / 4) + 128)
            cr[x] = byte((r - y) * (crScale / 4) + 128)
        }
    }

    /// Luma, Cb and Cr in steps of 1/128 of an 8-bit value, with the half step and the middle of chroma already added:
    /// a shift by 7 makes bytes of them. Values outside 0…1 are held to it.
    static func fixed(_ colour: SIMD3<Float>) -> SIMD4<Int16> {
        let held = colour.clamped(lowerBound: SIMD3(repeating: 0), upperBound: SIMD3(repeating: 1))
        let y = red * held.x + green * held.y + blue * held.z
        func fix(_ value: Float) -> Int16 { Int16(min(max((value * 128).rounded(), 0), 32_767)) }
        return SIMD4(
            fix(y * 255 + 0.5), fix((held.z - y) * cbScale + 128.5), fix((held.x - y) * crScale + 128.5), 0)
    }
}
