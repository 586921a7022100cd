/// Linear light encoded by its square root, the domain in which noise of colour is judged.
///
/// In it shot noise has the same deviation from shadow to highlight (F. J. Anscombe, 1948, "The transformation of
/// Poisson, binomial and negative-binomial data"), and a step is about as large as the eye sees it. So edges are judged
/// alike in shadows and in highlights.
///
/// Read noise puts samples below black. A small offset keeps most of them, so that averages are not biased.
enum SquareRootEncoding {
    static let offset: Float = 1.0 / 1024

    /// Replaces light by its root.
    static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count {
            let shifted = row[x] + offset
            row[x] = (shifted > 0 ? shifted : 0).squareRoot()
        }
    }

    /// Replaces roots by their light.
    static func decode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count { row[x] = decode(row[x]) }
    }

    /// The light of a root; it may be slightly negative.
    @inline(__always)
    static func decode(_ root: Float) -> Float { root * root - offset }
}
