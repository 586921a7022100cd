/// A smooth curve over light as cubics, one for each half octave of `LightIndex`, in whole numbers: what wide vectors work
/// out quicker than they could look it up. The values are the same on every processor.
struct CubicPieces: Sendable {
    /// Places in a piece, and pieces.
    private static let length = 256
    private static let pieces = 32
    /// A shorter piece, at the curve's end, is a straight line.
    private static let shortest = 64
    /// How far a value may be from the curve: an eighth of an 8-bit step of 65,536. Where it is smooth it is one or two.
    private static let tolerance: Float = 32
    /// Rounding three products down takes away one and a half.
    private static let bias = 1.0
    /// Kept free below the end, so that no sum reaches it.
    private static let room: Float = 5

    /// Starts, slopes, bends and twists of the pieces, the last two with a sign, one after the other.
    private(set) var tables = [UInt16](repeating: 0, count: 4 * pieces)
    /// The place from which on the curve is level.
    let last: Int

    /// - Parameters:
    ///   - curve: the value at each place, not negative.
    ///   - end: what no value may reach, at most 65,536.
    /// - Returns: nil where cubics would miss the curve.
    init?(_ curve: [Float], end: Int) {
        let curve = curve.map { min($0, Float(end) - Self.room) }
        guard let top = curve.last, let last = curve.firstIndex(of: top), last < Self.pieces * Self.length else {
            return nil
        }
        self.last = last
        for piece in 0...last / Self.length {
            let part = curve[(piece * Self.length)...min((piece + 1) * Self.length, last)]
            guard let numbers = Self.numbers(part.map(Double.init)) else { return nil }
            for (table, number) in numbers.enumerated() { tables[table * Self.pieces + piece] = number }
        }
        for place in curve.indices {
            let value = Int(self[place])
            guard value < end, abs(Float(value) - curve[place]) <= Self.tolerance else { return nil }
        }
    }

    /// The value at a place.
    subscript(place: Int) -> UInt16 {
        let (piece, t) = min(place, last).quotientAndRemainder(dividingBy: Self.length)
        let square = t * (Self.length - t)
        let turned = (square * (t - Self.length / 2)) >> 8
        func table(_ index: Int) -> UInt16 { tables[index * Self.pieces + piece] }
        func signed(_ index: Int) -> Int { Int(Int16(bitPattern: table(index))) }
        let value = Int(table(0)) + (t * Int(table(1))) >> 8 + (square * signed(2)) >> 16 + (turned * signed(3)) >> 16
        return UInt16(truncatingIfNeeded: value)
    }

    /// Start, slope, bend and twist of a piece; nil where one does not fit.
    ///
    /// - Parameter curve: its values from the piece's start to its end.
    private static func numbers(_ curve: [Double]) -> [UInt16]? {
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

    /// The factors of t, t² and t³ in the cubic through four points of a piece, by Newton's divided differences.
    private static func powers(_ curve: [Double]) -> (Double, Double, Double) {
        let end = curve.count - 1
        if end < shortest { return (end > 0 ? (curve[end] - curve[0]) / Double(end) : 0, 0, 0) }
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
