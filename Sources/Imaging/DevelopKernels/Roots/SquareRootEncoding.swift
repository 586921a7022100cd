/// Linear light encoded by its square root, for judging colour noise.
///
/// Shot noise then has the same deviation from shadow to highlight (F. J. Anscombe, 1948, "The transformation of
/// Poisson, binomial and negative-binomial data"), and a step is about as large as the eye sees it, so edges count
/// alike in shadows and highlights.
///
/// Read noise puts samples below black. A small offset keeps most of them, so that averages are unbiased.
enum SquareRootEncoding {
    static let offset: Float = 1.0 / 1024

    /// Replaces light with its root.
    static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count {
            let shifted = row[x] + offset
            row[x] = (shifted > 0 ? shifted : 0).squareRoot()
        }
    }

    /// Replaces roots with their light.
    static func decode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count { row[x] = decode(row[x]) }
    }

    /// The light of a root; may be slightly negative.
    @inline(__always)
    static func decode(_ root: Float) -> Float { root * root - offset }
}
