/// Green minus the other colour along one direction, where both are known only by turns.
///
/// The estimate of J. F. Hamilton and J. E. Adams (US patent 5,629,734, 1997, expired), seen as a difference: the mean
/// of the two neighbours of one colour against this colour smoothed by 1 2 1, so both sides are filtered alike.
enum ColourDifference {
    /// At the samples of the other colour: `before` and `after` are the greens on either side, `other` and its two
    /// neighbours of the same colour.
    static func atOther(
        before: UnsafePointer<Float>, after: UnsafePointer<Float>, previous: UnsafePointer<Float>,
        other: UnsafePointer<Float>, next: UnsafePointer<Float>, into d: UnsafeMutablePointer<Float>,
        _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (before[x] + after[x]) * 0.5 - (other[x] * 0.5 + (previous[x] + next[x]) * 0.25)
        }
    }

    /// At the samples of green: `before` and `after` are the other colour's on either side.
    static func atGreen(
        before: UnsafePointer<Float>, after: UnsafePointer<Float>, previous: UnsafePointer<Float>,
        green: UnsafePointer<Float>, next: UnsafePointer<Float>, into d: UnsafeMutablePointer<Float>,
        _ range: Range<Int>
    ) {
        for x in range {
            d[x] = (green[x] * 0.5 + (previous[x] + next[x]) * 0.25) - (before[x] + after[x]) * 0.5
        }
    }

    /// How much the difference changes along its direction around a sample of the other colour: the steps between
    /// its own three differences and between the two at the greens beside it.
    static func change(
        previous: UnsafePointer<Float>, own: UnsafePointer<Float>, next: UnsafePointer<Float>,
        before: UnsafePointer<Float>, after: UnsafePointer<Float>, into c: UnsafeMutablePointer<Float>,
        _ range: Range<Int>
    ) {
        for x in range {
            c[x] =
                (own[x] - previous[x]).magnitude + (next[x] - own[x]).magnitude + (after[x] - before[x]).magnitude
        }
    }

    /// The difference smoothed along its direction by 1 4 6 4 1.
    static func smooth(
        previous: UnsafePointer<Float>, own: UnsafePointer<Float>, next: UnsafePointer<Float>,
        before: UnsafePointer<Float>, after: UnsafePointer<Float>, into s: UnsafeMutablePointer<Float>,
        _ range: Range<Int>
    ) {
        for x in range {
            s[x] =
                own[x] * 0.375 + (before[x] + after[x]) * 0.25 + (previous[x] + next[x]) * 0.0625
        }
    }

    /// One direction's change and smoothed difference.
    struct Direction {
        let change: UnsafePointer<Float>
        /// Of the diagonal neighbours: the rows before and after, at the columns `x` and `x + shift`.
        let changeBefore: UnsafePointer<Float>
        let changeAfter: UnsafePointer<Float>
        let smooth: UnsafePointer<Float>
    }

    /// The two directions' differences, each weighted by the square of the other's change: gradients of colour
    /// differences need no threshold (I. Pekkucuksen, Y. Altunbasak, 2010, "Gradient based threshold free color filter
    /// array interpolation"). The four diagonal neighbours have a quarter's say each, so a line of samples does not
    /// change its mind from one to the next.
    static func blend(
        _ h: Direction, _ v: Direction, shift: Int, into d: UnsafeMutablePointer<Float>, _ range: Range<Int>
    ) {
        let (hc, hb, ha, hs) = (h.change, h.changeBefore, h.changeAfter, h.smooth)
        let (vc, vb, va, vs) = (v.change, v.changeBefore, v.changeAfter, v.smooth)
        for x in range {
            let diagonalH = (hb[x] + hb[x + shift]) + (ha[x] + ha[x + shift])
            let diagonalV = (vb[x] + vb[x + shift]) + (va[x] + va[x + shift])
            let a = hc[x] + diagonalH * 0.25 + 1e-5
            let b = vc[x] + diagonalV * 0.25 + 1e-5
            let wh = b * b
            let wv = a * a
            d[x] = (hs[x] * wh + vs[x] * wv) / (wh + wv)
        }
    }
}
