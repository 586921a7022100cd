/// A factor that is known at some distances from a centre, and smooth between them.
public struct RadialTable: Hashable, Sendable {
    /// Factors that make sense: no lens moves light farther.
    public static let range = 0.25...4.0
    private static let stepsPerUnit = 512.0
    /// The corner of a picture is at 1; what lies beyond a little is looked up, too.
    private static let end = 1.25

    /// At distances in steps, from 0 on.
    private let factors: [Double]

    /// A table through factors at equal distances, between which it is a cubic through four of them (E. Catmull and R. Rom,
    /// 1974, "A class of local interpolating splines"). Before the first and behind the last the factor stays the same.
    ///
    /// Nil unless there are 2 to 64 factors that make sense.
    ///
    /// - Parameters:
    ///   - knots: the factors.
    ///   - first: the distance of the first one.
    ///   - step: from one to the next, above 0.
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

    /// The factors at eight distances, which are 0 or more, linear between the table's steps.
    func factor(_ distance: LensWarp.Vector) -> LensWarp.Vector {
        var result = LensWarp.Vector(repeating: factors[factors.count - 1])
        let places = distance * Self.stepsPerUnit
        for lane in 0..<LensWarp.Vector.scalarCount where places[lane] < Double(factors.count - 1) {
            // A place is not negative: it is a root.
            let step = Int(places[lane])
            result[lane] = factors[step] + (places[lane] - Double(step)) * (factors[step + 1] - factors[step])
        }
        return result
    }
}
