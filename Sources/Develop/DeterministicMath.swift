/// Exponential and logarithm from additions, multiplications and divisions alone.
///
/// The C library picks versions with fused multiply-add on processors that have it, and they differ in the last bit;
/// a table made with them would render differently from one node to the next. These give the same bits everywhere,
/// to within 2 · 10⁻¹⁵ relative, and are meant for tables, not for pixels.
enum DeterministicMath {
    private static let ln2 = 0.693147180559945309417232121458

    /// Base-2 logarithm of a positive finite number.
    static func log2(_ x: Double) -> Double {
        var exponent = Double(x.exponent)
        var m = x.significand
        if m > 1.4142135623730951 {
            m /= 2
            exponent += 1
        }
        // ln m = 2 artanh z with |z| ≤ 0.172: the 13th term is below 10⁻¹⁹.
        let z = (m - 1) / (m + 1)
        let square = z * z
        var sum = 0.0
        var k = 25.0
        while k >= 1 {
            sum = sum * square + 1 / k
            k -= 2
        }
        return exponent + 2 * z * sum / ln2
    }

    /// 2 to the power of `x`; 0 or infinity beyond the range of `Double`.
    static func exp2(_ x: Double) -> Double {
        if x < -1070 { return 0 }
        if x > 1023 { return .infinity }
        let whole = x.rounded()
        let y = (x - whole) * ln2
        var sum = 1.0
        var k = 17.0
        while k >= 1 {
            sum = 1 + sum * y / k
            k -= 1
        }
        return Double(sign: .plus, exponent: Int(whole), significand: sum)
    }

    /// `base` to the power of `exponent`, for bases of 0 and above.
    static func pow(_ base: Double, _ exponent: Double) -> Double {
        if base <= 0 { return 0 }
        return exp2(exponent * log2(base))
    }
}
