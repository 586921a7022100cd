/// Exponentials and logarithms with the same bits on every processor.
///
/// The C library selects variants with fused multiply-add by processor, and their last bits differ: tables made with
/// them would render differently on each node. These functions use only additions, multiplications and divisions. Their
/// relative error is at most 2 · 10⁻¹⁵. They are meant for tables, not for pixels.
///
/// Each takes eight numbers, because dividing eight takes hardly longer than dividing one.
public enum DeterministicMath {
    /// Eight numbers computed together.
    public typealias Vector = SIMD8<Double>

    private static let ln2 = 0.693147180559945309417232121458
    private static let significandBits: UInt64 = 52
    private static let exponentBias: UInt64 = 1023
    /// 1.5 · 2⁵². Added to an integer of magnitude below 2⁵¹, it leaves the integer in the low bits of the sum.
    private static let integerShifter = 6_755_399_441_055_744.0

    // The casts are safe: both vectors have eight lanes of 64 bits, and every bit pattern is a value of either.

    /// Base-2 logarithms of positive, finite, normal numbers.
    public static func log2(_ x: Vector) -> Vector {
        let bits = unsafe unsafeBitCast(x, to: SIMD8<UInt64>.self)
        let biased = SIMD8<Int64>(truncatingIfNeeded: bits &>> significandBits)
        var exponent = Vector(biased &- Int64(exponentBias))
        var m = unsafe unsafeBitCast(
            bits & (1 &<< significandBits &- 1) | exponentBias &<< significandBits, to: Vector.self)
        let isLarge = m .> 1.4142135623730951
        m.replace(with: m / 2, where: isLarge)
        exponent.replace(with: exponent + 1, where: isLarge)
        // ln m = 2 artanh z with |z| ≤ 0.172. The 13th term of the series is below 10⁻¹⁹.
        let z = (m - 1) / (m + 1)
        let square = z * z
        var sum = Vector.zero
        var k = 25.0
        while k >= 1 {
            sum = sum * square + 1 / k
            k -= 2
        }
        return exponent + 2 * z * sum / ln2
    }

    /// 2 to the power of `x`: 0 below -1022, infinity above 1023.
    public static func exp2(_ x: Vector) -> Vector {
        let clamped = x.clamped(lowerBound: Vector(repeating: -1022), upperBound: Vector(repeating: 1023))
        let whole = clamped.rounded(.toNearestOrAwayFromZero)
        let y = (clamped - whole) * ln2
        var sum = Vector(repeating: 1)
        var k = 17.0
        while k >= 1 {
            sum = 1 + sum * y / k
            k -= 1
        }
        let low = unsafe unsafeBitCast(whole + integerShifter, to: SIMD8<UInt64>.self)
        let power = unsafe unsafeBitCast((low &+ exponentBias) &<< significandBits, to: Vector.self)
        return (sum * power).replacing(with: 0, where: x .< -1022).replacing(with: .infinity, where: x .> 1023)
    }

    /// `base` to the power of `exponent`; 0 for bases up to 0.
    public static func pow(_ base: Vector, _ exponent: Double) -> Vector {
        exp2(exponent * log2(base)).replacing(with: 0, where: base .<= 0)
    }

    /// The base-2 logarithm of one number.
    public static func log2(_ x: Double) -> Double { log2(Vector(repeating: x))[0] }

    /// 2 to the power of one number.
    public static func exp2(_ x: Double) -> Double { exp2(Vector(repeating: x))[0] }

    /// One number to the power of `exponent`.
    public static func pow(_ base: Double, _ exponent: Double) -> Double { pow(Vector(repeating: base), exponent)[0] }
}
