/// Green minus the other colour along one direction in which they alternate, in fixed-point roots (`FixedPointRoots`).
///
/// The estimate is that of J. F. Hamilton and J. E. Adams (US patent 5,629,734, 1997, expired), written as a
/// difference: the mean of the two neighbours of one colour against the sample's own colour smoothed by 1 2 1, so both
/// sides are filtered alike.
///
/// All numbers stay within 15 bits and a sign: roots and differences have 14 bits, and sums are halved at once.
enum ColourDifference {
    typealias Row = UnsafePointer<Int16>
    typealias Result = UnsafeMutablePointer<Int16>

    /// At the samples of the other colour.
    ///
    /// - Parameters:
    ///   - before: green before each sample; `after` is green after it.
    ///   - previous: the neighbour of the same colour before each sample; `next` is the one after it.
    static func atOther(
        before: Row, after: Row, previous: Row, other: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (before[x] &+ after[x] &- other[x] &- (previous[x] &+ next[x]) &>> 1) &>> 1
        }
    }

    /// At the samples of green.
    ///
    /// - Parameters:
    ///   - before: the other colour before each sample; `after` is the other colour after it.
    ///   - previous: green before each sample's neighbour; `next` is the green after it.
    static func atGreen(
        before: Row, after: Row, previous: Row, green: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (green[x] &+ (previous[x] &+ next[x]) &>> 1 &- (before[x] &+ after[x])) &>> 1
        }
    }

    /// How much the difference changes along its direction at samples of the other colour, and the difference smoothed
    /// along its direction by 1 2 1.
    ///
    /// The change is the sum of two terms of 13 bits at most: the steps between `previous`, `own` and `next`, which are
    /// the differences at samples of the other colour, and the step between `before` and `after`, which are those at
    /// the greens in between.
    static func changeAndSmooth(
        previous: Row, own: Row, next: Row, before: Row, after: Row, into result: (change: Result, smooth: Result),
        _ range: Range<Int>
    ) {
        let (change, smooth) = result
        let maxTerm: UInt16 = 8191
        for x in range {
            let steps = (own[x] &- previous[x]).magnitude &+ (next[x] &- own[x]).magnitude
            let beside = (after[x] &- before[x]).magnitude
            change[x] = Int16(truncatingIfNeeded: min(steps, maxTerm) &+ min(beside, maxTerm))
            smooth[x] = (own[x] &+ (before[x] &+ after[x]) &>> 1 &+ 1) &>> 1
        }
    }

    /// A sample's change plus the mean change of its four diagonal neighbours, so that samples of one line decide for
    /// the same direction.
    ///
    /// - Parameters:
    ///   - before: the changes in the row before; `after` those in the row after.
    ///   - shift: the diagonal neighbours of index `x` have the indices `x` and `x + shift`.
    static func uncertainty(
        _ change: Row, before: Row, after: Row, shift: Int, into u: Result, _ range: Range<Int>
    ) {
        for x in range {
            let diagonal =
                UInt16(truncatingIfNeeded: before[x] &+ before[x + shift])
                &+ UInt16(truncatingIfNeeded: after[x] &+ after[x + shift])
            u[x] = change[x] &+ Int16(truncatingIfNeeded: diagonal &>> 2)
        }
    }

    /// The smoothed difference of one direction, and its uncertainty.
    struct Direction {
        let smooth: Row
        let uncertainty: Row
    }

    /// Blends the differences of two directions, each weighted by the square of the other's uncertainty: gradients of
    /// colour differences need no threshold (I. Pekkucuksen, Y. Altunbasak, 2010, "Gradient based threshold free color
    /// filter array interpolation").
    static func blend(_ h: Direction, _ v: Direction, into d: Result, _ range: Range<Int>) {
        let (hs, hu, vs, vu) = (h.smooth, h.uncertainty, v.smooth, v.uncertainty)
        for x in range {
            let a = Float(hu[x]) + 0.25
            let b = Float(vu[x]) + 0.25
            let share = b * b / (a * a + b * b)
            let blended = Float(vs[x]) + (Float(hs[x]) - Float(vs[x])) * share
            d[x] = Int16(truncatingIfNeeded: (blended + integerShifter).bitPattern)
        }
    }

    /// Differences, and how much each of them changes along one direction.
    struct Steps {
        let difference: Row
        let change: Row
    }

    /// Moves each difference a quarter of the way to its nearest neighbours of the same colour, those along which
    /// differences change least (after the update of green in the same paper, with decisions instead of weights).
    ///
    /// - Parameters:
    ///   - along: the differences, and their changes along the row.
    ///   - above: those above, and their changes along the column; `below` those below.
    static func refine(along: Steps, above: Steps, below: Steps, into refined: Result, _ range: Range<Int>) {
        let (d, change) = (along.difference, along.change)
        for x in range {
            let horizontal = steadier((d[x - 1], change[x - 1]), (d[x + 1], change[x + 1]))
            let vertical = steadier((above.difference[x], above.change[x]), (below.difference[x], below.change[x]))
            refined[x] = d[x] &+ (steadier(horizontal, vertical).difference &- d[x]) &>> 2
        }
    }

    /// The one of two differences that changes less, or their mean where neither changes twice as much as the other.
    /// Masks instead of branches, which vectors do not have.
    @inline(__always)
    private static func steadier(
        _ a: (difference: Int16, change: Int16), _ b: (difference: Int16, change: Int16)
    ) -> (difference: Int16, change: Int16) {
        let isFirst = (a.change &- b.change) &>> 15
        let chosen = b.difference ^ ((a.difference ^ b.difference) & isFirst)
        let (less, more) = (min(a.change, b.change), max(a.change, b.change))
        let mean = (a.difference &+ b.difference) &>> 1
        let isNear = (more &- less &- less &- roundingNoise) &>> 15
        return (chosen ^ ((chosen ^ mean) & isNear), less)
    }

    /// Changes that rounding explains.
    private static let roundingNoise: Int16 = 3

    /// 1.5 · 2²³. Added to a number of magnitude below 2²², it leaves the number, rounded to even, in the low bits.
    private static let integerShifter: Float = 12_582_912
}
