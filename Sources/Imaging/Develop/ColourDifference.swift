/// Green minus the other colour along one direction, where both are known only by turns; in roots (`RootScale`).
///
/// The estimate of J. F. Hamilton and J. E. Adams (US patent 5,629,734, 1997, expired), seen as a difference: the mean
/// of the two neighbours of one colour against this colour smoothed by 1 2 1, so both sides are filtered alike.
///
/// All numbers stay within 15 bits and a sign: roots have 14 bits, so have differences, and sums are halved at once.
enum ColourDifference {
    typealias Row = UnsafePointer<Int16>
    typealias Result = UnsafeMutablePointer<Int16>

    /// At the samples of the other colour: `before` and `after` are the greens on either side, `other` and its two
    /// neighbours of the same colour.
    static func atOther(
        before: Row, after: Row, previous: Row, other: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (before[x] &+ after[x] &- other[x] &- (previous[x] &+ next[x]) &>> 1) &>> 1
        }
    }

    /// At the samples of green: `before` and `after` are the other colour's on either side.
    static func atGreen(
        before: Row, after: Row, previous: Row, green: Row, next: Row, into d: Result, _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (green[x] &+ (previous[x] &+ next[x]) &>> 1 &- (before[x] &+ after[x])) &>> 1
        }
    }

    /// Around a sample of the other colour, where `previous`, `own` and `next` are its own three differences, `before`
    /// and `after` the two at the greens beside it:
    ///
    /// - how much the difference changes along its direction, which is the steps between the three and between the two,
    ///   each half 13 bits at most;
    /// - the difference smoothed along its direction by 1 4 6 4 1.
    static func changeAndSmooth(
        previous: Row, own: Row, next: Row, before: Row, after: Row, into result: (change: Result, smooth: Result),
        _ range: Range<Int>
    ) {
        let (change, smooth) = result
        let most: UInt16 = 8191
        for x in range {
            let steps = (own[x] &- previous[x]).magnitude &+ (next[x] &- own[x]).magnitude
            let beside = (after[x] &- before[x]).magnitude
            change[x] = Int16(truncatingIfNeeded: min(steps, most) &+ min(beside, most))
            let outer = (previous[x] &+ next[x]) &>> 1
            let inner = own[x] &+ (outer &- own[x]) &>> 2
            smooth[x] = ((before[x] &+ after[x]) &>> 1 &+ inner &+ 1) &>> 1
        }
    }

    /// A sample's change and the mean of its four diagonal neighbours': the rows before and after, at the columns `x`
    /// and `x + shift`. So a line of samples does not change its mind from one to the next.
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

    /// One direction's smoothed difference, and how uncertain it is.
    struct Direction {
        let smooth: Row
        let uncertainty: Row
    }

    /// The two directions' differences, each weighted by the square of the other's change: gradients of colour
    /// differences need no threshold (I. Pekkucuksen, Y. Altunbasak, 2010, "Gradient based threshold free color filter
    /// array interpolation").
    static func blend(_ h: Direction, _ v: Direction, into d: Result, _ range: Range<Int>) {
        let (hs, hu, vs, vu) = (h.smooth, h.uncertainty, v.smooth, v.uncertainty)
        for x in range {
            let a = Float(hu[x]) + 0.25
            let b = Float(vu[x]) + 0.25
            let share = b * b / (a * a + b * b)
            let blended = Float(vs[x]) + (Float(hs[x]) - Float(vs[x])) * share
            d[x] = Int16(truncatingIfNeeded: (blended + rounder).bitPattern)
        }
    }

    /// Adding 1.5 · 2²³ to a number of less than 2²² leaves it, rounded to even, in the low bits.
    private static let rounder: Float = 12_582_912
}
