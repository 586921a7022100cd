/// The square root as the domain of interpolation: shot noise is even in it and a step looks as large as the eye sees
/// it, so edges are judged alike in shadow and light (F. J. Anscombe, 1948, "The transformation of Poisson, binomial
/// and negative-binomial data").
///
/// Read noise puts samples below black. A small offset keeps most of them, so that averaging is not biased.
enum RootCoding {
    static let offset: Float = 1.0 / 1024

    /// In place: light to its root.
    static func encode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count {
            let shifted = row[x] + offset
            row[x] = (shifted > 0 ? shifted : 0).squareRoot()
        }
    }

    /// In place: roots to their light.
    static func decode(_ row: UnsafeMutablePointer<Float>, count: Int) {
        for x in 0..<count { row[x] = decode(row[x]) }
    }

    /// A root's light, which may be slightly negative.
    @inline(__always)
    static func decode(_ root: Float) -> Float { root * root - offset }
}

/// Roots as whole numbers of 14 bits: sums of two fit into 16, of which twice as many fill a vector as of floats. A step
/// is an eighth of the noise of the best sensors where it is finest against it, just below saturation.
struct RootScale: Sendable {
    /// The largest root.
    static let largest: Float = 16_383
    /// Adding 2²³ to a number from 0 to 2²³ leaves it, rounded to even, in the low bits: no conversion that can trap.
    private static let rounder: Float = 8_388_608

    /// The square of a root of light 1.
    let square: Float

    /// - Parameter clip: balanced value of a saturated sample, by channel. A sixteenth is left above the largest.
    init(clip: [Float]) {
        let top = (clip.max() ?? 1) * 1.0625 + RootCoding.offset
        square = Self.largest * Self.largest / top
    }

    /// Light to roots; what is too bright becomes the largest.
    func encode(_ light: UnsafePointer<Float>, into roots: UnsafeMutablePointer<Int16>, count: Int) {
        for x in 0..<count { roots[x] = root(light[x]) }
    }

    @inline(__always)
    func root(_ light: Float) -> Int16 {
        let shifted = (light + RootCoding.offset) * square
        let root = (shifted > 0 ? shifted : 0).squareRoot()
        let held = root < Self.largest ? root : Self.largest
        return Int16(truncatingIfNeeded: (held + Self.rounder).bitPattern)
    }
}
