/// Cube roots of light (`CubeRootEncoding`) as 14-bit integers: sums of two fit in 16 bits, of which a vector holds
/// twice as many as floats. A step is an eighth of the best sensors' noise just below saturation, where noise is lowest
/// relative to a step.
struct FixedPointRoots: Sendable {
    static let max: Float = 16_383
    /// 2²³. Adding it to a number from 0 to 2²³ leaves the number, rounded to even, in the low bits: no trapping
    /// conversion.
    private static let integerShifter: Float = 8_388_608
    /// 1.5 · 2²³, for numbers that may be negative.
    private static let signedShifter: Float = 12_582_912

    /// The root of light 1, without the offset.
    let unit: Float
    let cube: Float

    /// `clip` is the balanced light of a saturated sample, by channel. A sixteenth is left above the largest.
    init(clip: [Float]) {
        let top = (clip.max() ?? 1) * 1.0625 + CubeRootEncoding.offset
        cube = Self.max * Self.max * Self.max / top
        unit = CubeRootEncoding.root(cube)
    }

    /// Encodes light. Excessive light becomes the largest root.
    func encode(_ light: UnsafePointer<Float>, into roots: UnsafeMutablePointer<Int16>, count: Int) {
        for x in 0..<count { roots[x] = root(light[x]) }
    }

    /// The light of a fractional root; may be slightly negative.
    @inline(__always)
    func light(_ root: Float) -> Float { root * root * root * (1 / cube) - CubeRootEncoding.offset }

    /// The root before it is clamped and rounded.
    @inline(__always)
    func exactRoot(_ light: Float) -> Float { CubeRootEncoding.root((light + CubeRootEncoding.offset) * cube) }

    @inline(__always)
    func root(_ light: Float) -> Int16 { Self.rounded(exactRoot(light)) }

    /// Rounds a number that fits in 16 bits.
    @inline(__always)
    static func signed(_ number: Float) -> Int16 {
        Int16(truncatingIfNeeded: (number + Self.signedShifter).bitPattern)
    }

    /// Rounds a non-negative root, up to the largest.
    @inline(__always)
    static func rounded(_ root: Float) -> Int16 {
        let clamped = root < Self.max ? root : Self.max
        return Int16(truncatingIfNeeded: (clamped + Self.integerShifter).bitPattern)
    }
}
