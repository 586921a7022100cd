/// A smooth curve over linear light as integer cubics, one for each half octave of `LightLUTIndex`. AVX-512 evaluates
/// them faster than it looks values up. The values are the same on every processor.
///
/// In each piece the value is start + slope · t + bend · t (256 - t) + twist · t (256 - t) (t - 128), where t is the
/// index in the piece. All but the start are fixed-point numbers, and each product is rounded down.
struct PiecewiseCubic: Sendable {
    /// Indices of light per piece.
    private static let length = 256
    private static let pieces = 32
    /// A shorter piece at the curve's end is a straight line.
    private static let minCubicLength = 64
    /// Maximum error: an eighth of an 8-bit step for a curve of 65,536 values. Smooth curves are met within one or two.
    private static let tolerance: Float = 32
    /// Added to starts, because rounding down three products subtracts 1.5 on average.
    private static let bias = 1.0
    /// Distance of the curve from its end, so that no sum reaches it.
    private static let headroom: Float = 5

    /// Starts, slopes, bends and twists, one table after the other. Bends and twists are signed.
    private(set) var tables = [UInt16](repeating: 0, count: 4 * pieces)
    /// Index from which the curve is level.
    let last: Int

    /// Nil if cubics would miss the curve, which has a non-negative value for each index of light. `end` is the
    /// exclusive bound of values, at most 65,536.
    init?(_ curve: [Float], end: Int) {
        let curve = curve.map { min($0, Float(end) - Self.headroom) }
        guard let top = curve.last, let last = curve.firstIndex(of: top), last < Self.pieces * Self.length else {
            return nil
        }
        self.last = last
        for piece in 0...last / Self.length {
            let part = curve[(piece * Self.length)...min((piece + 1) * Self.length, last)]
            guard let numbers = Self.coefficients(part.map(Double.init)) else { return nil }
            for (table, number) in numbers.enumerated() { tables[table * Self.pieces + piece] = number }
        }
        for index in curve.indices {
            let value = Int(self[index])
            guard value < end, abs(Float(value) - curve[index]) <= Self.tolerance else { return nil }
        }
    }

    subscript(index: Int) -> UInt16 {
        let (piece, t) = min(index, last).quotientAndRemainder(dividingBy: Self.length)
        let square = t * (Self.length - t)
        let odd = (square * (t - Self.length / 2)) >> 8
        func table(_ number: Int) -> UInt16 { tables[number * Self.pieces + piece] }
        func signed(_ number: Int) -> Int { Int(Int16(bitPattern: table(number))) }
        let value = Int(table(0)) + (t * Int(table(1))) >> 8 + (square * signed(2)) >> 16 + (odd * signed(3)) >> 16
        return UInt16(truncatingIfNeeded: value)
    }

    /// Start, slope, bend and twist of a piece; nil if one exceeds 16 bits. `curve` has the values from the start to
    /// the end.
    private static func coefficients(_ curve: [Double]) -> [UInt16]? {
        let (linear, quadratic, cubic) = powers(curve)
        // t (256 - t) (t - 128) / 256 = 1.5 t² - 128 t - t³ / 256
        let twist = -256 * cubic
        let bend = 1.5 * twist - quadratic
        let slope = linear + 128 * twist - 256 * bend
        guard let start = UInt16(exactly: (curve[0] + bias).rounded()),
            let slope = UInt16(exactly: (slope * 256).rounded()),
            let bend = Int16(exactly: (bend * 65_536).rounded()),
            let twist = Int16(exactly: (twist * 65_536).rounded())
        else { return nil }
        return [start, slope, UInt16(bitPattern: bend), UInt16(bitPattern: twist)]
    }

    /// Coefficients of t, t² and t³ of the cubic through four points of a piece, by Newton's divided differences.
    private static func powers(_ curve: [Double]) -> (Double, Double, Double) {
        let end = curve.count - 1
        if end < minCubicLength { return (end > 0 ? (curve[end] - curve[0]) / Double(end) : 0, 0, 0) }
        let t = [0, end / 3, 2 * end / 3, end]
        var d = t.map { curve[$0] }
        for order in 1...3 {
            for i in stride(from: 3, through: order, by: -1) {
                d[i] = (d[i] - d[i - 1]) / Double(t[i] - t[i - order])
            }
        }
        let (first, second) = (Double(t[1]), Double(t[2]))
        return (d[1] - d[2] * first + d[3] * first * second, d[2] - d[3] * (first + second), d[3])
    }
}
