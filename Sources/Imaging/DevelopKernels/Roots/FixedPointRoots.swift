/// Cube roots of light (`CubeRootEncoding`) as integers of 14 bits: sums of two fit into 16 bits, of which a vector
/// holds twice as many as floats.
///
/// A step is an eighth of the noise of the best sensors where noise is least against it, just below saturation.
struct FixedPointRoots: Sendable {
    /// The largest root.
    static let max: Float = 16_383
    /// 2²³. Added to a number from 0 to 2²³, it leaves the number, rounded to even, in the low bits: no conversion that
    /// can trap.
    private static let integerShifter: Float = 8_388_608
    /// 1.5 · 2²³, which does the same for numbers that may be negative.
    private static let signedShifter: Float = 12_582_912

    /// The root that stands for light 1, but for the offset.
    let unit: Float
    /// Its cube.
    let cube: Float

    /// - Parameter clip: balanced light of a saturated sample, by channel. A sixteenth is left above the largest.
    init(clip: [Float]) {
        let top = (clip.max() ?? 1) * 1.0625 + CubeRootEncoding.offset
        cube = Self.max * Self.max * Self.max / top
        unit = CubeRootEncoding.root(cube)
    }

    /// Encodes light. What is too bright becomes the largest root.
    func encode(_ light: UnsafePointer<Float>, into roots: UnsafeMutablePointer<Int16>, count: Int) {
        for x in 0..<count { roots[x] = root(light[x]) }
    }

    /// The light of a root that is no integer; it may be slightly negative.
    @inline(__always)
    func light(_ root: Float) -> Float { root * root * root * (1 / cube) - CubeRootEncoding.offset }

    /// The root of one amount of light, before it is clamped and rounded.
    @inline(__always)
    func exactRoot(_ light: Float) -> Float { CubeRootEncoding.root((light + CubeRootEncoding.offset) * cube) }

    /// The root of one amount of light.
    @inline(__always)
    func root(_ light: Float) -> Int16 { Self.rounded(exactRoot(light)) }

    /// The nearest integer, in 16 bits, of a number of which it has no more.
    @inline(__always)
    static func signed(_ number: Float) -> Int16 {
        Int16(truncatingIfNeeded: (number + Self.signedShifter).bitPattern)
    }

    /// The nearest integer from 0 to the largest root; of a root that is not negative.
    @inline(__always)
    static func rounded(_ root: Float) -> Int16 {
        let clamped = root < Self.max ? root : Self.max
        return Int16(truncatingIfNeeded: (clamped + Self.integerShifter).bitPattern)
    }
}
