/// A factor given at some distances from a centre, with smooth interpolation.
public struct RadialTable: Hashable, Sendable {
    /// Plausible factors: no lens moves light farther.
    public static let range = 0.25...4.0
    private static let stepsPerUnit = 512.0
    /// Greatest distance of the table. A picture's corner is at 1; places slightly beyond it are looked up, too.
    private static let end = 1.25

    /// Factors at equal distances from 0 on.
    private let factors: [Double]

    /// Creates a table from factors at equal distances, interpolated by a cubic through four of them (E. Catmull and R.
    /// Rom, 1974, "A class of local interpolating splines"). Before the first and after the last, the factor is
    /// constant.
    ///
    /// Nil unless there are 2 to 64 plausible factors.
    ///
    /// - Parameters:
    ///   - knots: the factors.
    ///   - first: distance of the first factor.
    ///   - step: distance of neighbouring factors; positive.
    public init?(_ knots: [Double], first: Double, step: Double) {
        guard (2...64).contains(knots.count), knots.allSatisfy(Self.range.contains), (0...1).contains(first),
            (0.001...1).contains(step)
        else { return nil }
        let last = Double(knots.count - 1)
        factors = (0...Int(Self.end * Self.stepsPerUnit)).map { index in
            let place = min(max((Double(index) / Self.stepsPerUnit - first) / step, 0), last)
            let knot = min(Int(place), knots.count - 2)
            func factor(_ index: Int) -> Double { knots[min(max(index, 0), knots.count - 1)] }
            let (a, b, c, d) = (factor(knot - 1), factor(knot), factor(knot + 1), factor(knot + 2))
            let share = place - Double(knot)
            let bend = (2 * a - 5 * b + 4 * c - d) + (3 * (b - c) + d - a) * share
            return b + 0.5 * share * (c - a + share * bend)
        }
    }

    /// The factors at eight distances of 0 or more, linear between the table's entries.
    func factor(_ distance: LensWarp.Vector) -> LensWarp.Vector {
        var result = LensWarp.Vector(repeating: factors[factors.count - 1])
        let places = distance * Self.stepsPerUnit
        for lane in 0..<LensWarp.Vector.scalarCount where places[lane] < Double(factors.count - 1) {
            // A root is not negative.
            let step = Int(places[lane])
            result[lane] = factors[step] + (places[lane] - Double(step)) * (factors[step + 1] - factors[step])
        }
        return result
    }
}
