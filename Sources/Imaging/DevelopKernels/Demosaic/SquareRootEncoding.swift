/// Linear light encoded by its square root, the domain of interpolation.
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

/// The same encoding as integers of 14 bits: sums of two fit into 16 bits, of which a vector holds twice as many as
/// floats.
///
/// A step is an eighth of the noise of the best sensors where noise is least against it, just below saturation.
struct FixedPointRoots: Sendable {
    /// The largest root.
    static let max: Float = 16_383
    /// 2²³. Added to a number from 0 to 2²³, it leaves the number, rounded to even, in the low bits: no conversion that
    /// can trap.
    private static let integerShifter: Float = 8_388_608

    /// The square of the root that stands for light 1.
    let square: Float

    /// - Parameter clip: balanced light of a saturated sample, by channel. A sixteenth is left above the largest.
    init(clip: [Float]) {
        let top = (clip.max() ?? 1) * 1.0625 + SquareRootEncoding.offset
        square = Self.max * Self.max / top
    }

    /// Encodes light. What is too bright becomes the largest root.
    func encode(_ light: UnsafePointer<Float>, into roots: UnsafeMutablePointer<Int16>, count: Int) {
        for x in 0..<count { roots[x] = root(light[x]) }
    }

    /// The root of one amount of light.
    @inline(__always)
    func root(_ light: Float) -> Int16 {
        let shifted = (light + SquareRootEncoding.offset) * square
        let root = (shifted > 0 ? shifted : 0).squareRoot()
        let clamped = root < Self.max ? root : Self.max
        return Int16(truncatingIfNeeded: (clamped + Self.integerShifter).bitPattern)
    }
}
