/// Green minus the other colour along a direction in which they alternate, in fixed-point roots (`FixedPointRoots`).
///
/// The estimate is J. F. Hamilton's and J. E. Adams's (US patent 5,629,734, 1997, expired), written as a difference:
/// the mean of two neighbours of one colour, minus the sample's own colour smoothed by 1 2 1, so both are filtered
/// alike.
///
/// All numbers fit in 15 bits and a sign: roots and differences have 14 bits, and sums are halved at once.
enum ColourDifference {
    typealias Row = UnsafePointer<Int16>
    typealias Result = UnsafeMutablePointer<Int16>

    /// At samples of the other colour. `before` and `after` are green on either side of each sample; `previous` and
    /// `next` are its neighbours of the same colour.
    static func atOther(
        before: Row, after: Row, previous: Row, other: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (before[x] &+ after[x] &- other[x] &- (previous[x] &+ next[x]) &>> 1) &>> 1
        }
    }

    /// At samples of green. `before` and `after` are the other colour on either side of each sample; `previous` and
    /// `next` are green beyond them.
    static func atGreen(
        before: Row, after: Row, previous: Row, green: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (green[x] &+ (previous[x] &+ next[x]) &>> 1 &- (before[x] &+ after[x])) &>> 1
        }
    }

    /// The change of the difference along its direction at samples of the other colour, and the difference smoothed
    /// along it by 1 2 1.
    ///
    /// The change is the sum of two terms of at most 13 bits: the steps between `previous`, `own` and `next`, the
    /// differences at samples of the other colour; and the step between `before` and `after`, those at the greens in
    /// between.
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

    /// A sample's change plus the mean change of its four diagonal neighbours, so that samples of a line choose the
    /// same direction. `before` and `after` are changes in the previous and next row; the diagonal neighbours of index
    /// `x` have the indices `x` and `x + shift`.
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

    struct Direction {
        let smooth: Row
        let uncertainty: Row
    }

    /// Blends the differences of two directions, weighted by the square of the other's uncertainty: gradients of colour
    /// differences need no threshold (I. Pekkucuksen, Y. Altunbasak, 2010, "Gradient based threshold free color filter
    /// array interpolation").
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

    struct Steps {
        let difference: Row
        let change: Row
    }

    /// Moves each difference a quarter of the way to its nearest neighbours of the same colour, along the direction of
    /// least change (after the update of green in the same paper, with decisions instead of weights).
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

    /// The difference that changes less, or the mean if neither changes twice as much. Uses masks, because vectors have
    /// no branches.
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

    /// 1.5 · 2²³. Adding it to a magnitude below 2²² leaves the number, rounded to even, in the low bits.
    private static let integerShifter: Float = 12_582_912
}
