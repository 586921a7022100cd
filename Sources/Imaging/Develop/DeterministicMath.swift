/// Exponential and logarithm from additions, multiplications and divisions alone, of eight numbers at once: dividing
/// takes long, but hardly longer for eight.
///
/// The C library picks versions with fused multiply-add on processors that have it, and they differ in the last bit;
/// a table made with them would render differently from one node to the next. These give the same bits everywhere,
/// to within 2 · 10⁻¹⁵ relative, and are meant for tables, not for pixels.
enum DeterministicMath {
    typealias Eight = SIMD8<Double>

    private static let ln2 = 0.693147180559945309417232121458
    private static let significandBits: UInt64 = 52
    private static let exponentBias: UInt64 = 1023
    /// Added to a whole number of less than 2⁵¹, it leaves the number in the low bits.
    private static let wholeNumbers = 6_755_399_441_055_744.0

    /// Base-2 logarithms of positive finite numbers, none below 2⁻¹⁰²².
    static func log2(_ x: Eight) -> Eight {
        let bits = unsafeBitCast(x, to: SIMD8<UInt64>.self)
        let biased = SIMD8<Int64>(truncatingIfNeeded: bits &>> significandBits)
        var exponent = Eight(biased &- Int64(exponentBias))
        var m = unsafeBitCast(
            bits & (1 &<< significandBits &- 1) | exponentBias &<< significandBits, to: Eight.self)
        let isLarge = m .> 1.4142135623730951
        m.replace(with: m / 2, where: isLarge)
        exponent.replace(with: exponent + 1, where: isLarge)
        // ln m = 2 artanh z with |z| ≤ 0.172: the 13th term is below 10⁻¹⁹.
        let z = (m - 1) / (m + 1)
        let square = z * z
        var sum = Eight.zero
        var k = 25.0
        while k >= 1 {
            sum = sum * square + 1 / k
            k -= 2
        }
        return exponent + 2 * z * sum / ln2
    }

    /// 2 to the power of `x`; 0 below -1022, infinity above 1023.
    static func exp2(_ x: Eight) -> Eight {
        let held = x.clamped(lowerBound: Eight(repeating: -1022), upperBound: Eight(repeating: 1023))
        let whole = held.rounded(.toNearestOrAwayFromZero)
        let y = (held - whole) * ln2
        var sum = Eight(repeating: 1)
        var k = 17.0
        while k >= 1 {
            sum = 1 + sum * y / k
            k -= 1
        }
        let low = unsafeBitCast(whole + wholeNumbers, to: SIMD8<UInt64>.self)
        let power = unsafeBitCast((low &+ exponentBias) &<< significandBits, to: Eight.self)
        return (sum * power).replacing(with: 0, where: x .< -1022).replacing(with: .infinity, where: x .> 1023)
    }

    /// `base` to the power of `exponent`, for bases of 0 and above.
    static func pow(_ base: Eight, _ exponent: Double) -> Eight {
        exp2(exponent * log2(base)).replacing(with: 0, where: base .<= 0)
    }

    static func log2(_ x: Double) -> Double { log2(Eight(repeating: x))[0] }

    static func exp2(_ x: Double) -> Double { exp2(Eight(repeating: x))[0] }

    static func pow(_ base: Double, _ exponent: Double) -> Double { pow(Eight(repeating: base), exponent)[0] }
}
