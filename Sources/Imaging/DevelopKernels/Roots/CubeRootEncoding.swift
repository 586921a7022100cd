/// Linear light encoded by its cube root, for interpolating mosaics and finding detail.
///
/// It is the eye's lightness (CIE 1976 L*) except for a scale. Shading and texture change all colours of a surface by
/// the same factor, which changes the differences of their cube roots less than those of their square roots;
/// interpolation assumes that these differences vary slowly. Noise is uneven: it grows into the shadows
/// (`DetailLimits`).
///
/// Read noise puts samples below black. A small offset keeps most of them, so that averages are unbiased.
enum CubeRootEncoding {
    static let offset: Float = 1.0 / 512

    /// The cube root of a number of at least 2⁻²⁰, within 2.3 · 10⁻⁵, by Newton's method for its inverse from an
    /// estimate of the bits (after J. F. Blinn, 1997, "Floating-point tricks"). Multiplications and sums only, so the
    /// bits are the same everywhere.
    @inline(__always)
    static func root(_ number: Float) -> Float {
        let positive = number > least ? number : least
        // A third of the bits of exponent and mantissa: 85/256, and a 256th of that.
        let most = (positive.bitPattern &>> 8) &* 85
        var inverse = Float(bitPattern: 0x54A2_0000 &- (most &+ most &>> 8))
        let third = positive * (1.0 / 3)
        for _ in 0..<2 { inverse *= 4.0 / 3 - third * (inverse * inverse * inverse) }
        return positive * inverse * inverse
    }

    private static let least: Float = 0x1p-20

    /// Replaces light with its root.
    static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count { row[x] = root(row[x] + offset) }
    }

    /// The light of a root; may be slightly negative.
    @inline(__always)
    static func decode(_ root: Float) -> Float { root * root * root - offset }
}
