/// The square root as the domain of interpolation: shot noise is even in it and a step looks as large as the eye sees
/// it, so edges are judged alike in shadow and light (F. J. Anscombe, 1948, "The transformation of Poisson, binomial
/// and negative-binomial data").
///
/// Read noise puts samples below black. A small offset keeps most of them, so that averaging is not biased.
enum RootCoding {
    private static let offset: Float = 1.0 / 1024

    /// In place: light to its root.
    static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count {
            let shifted = row[x] + offset
            row[x] = (shifted > 0 ? shifted : 0).squareRoot()
        }
    }

    /// A root's light, which may be slightly negative.
    @inline(__always)
    static func decode(_ root: Float) -> Float { root * root - offset }
}
