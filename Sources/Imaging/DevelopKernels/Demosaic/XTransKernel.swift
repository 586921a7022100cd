/// The arithmetic of X-Trans interpolation, on rows of cube roots of light.
///
/// Every row points at its first sample to work on; neighbours are reached by negative indices and by those beyond
/// `count`.
enum XTransKernel {
    typealias Row = UnsafePointer<Float>
    typealias Target = UnsafeMutablePointer<Float>

    /// Green between two greens: their sum weighted, less that of the two samples beyond them.
    @inline(__always)
    private static func between(_ near: Float, _ far: Float) -> Float { near * 0.6797 - far * 0.1797 }

    /// Green beside the centre of a square: the centre's green, a little of the green two samples the other way, and
    /// the change of the sample's own colour to the sample beyond the centre.
    @inline(__always)
    private static func beside(_ centre: Float, _ other: Float, _ own: Float, _ beyond: Float) -> Float {
        centre * 0.8711 + other * 0.1289 + (own - beyond) * 0.3594
    }

    /// Green along and across a row in which red and blue samples have green on either side. Green samples keep their
    /// values.
    ///
    /// The estimates are those of F. Markesteijn (2013, in D. Coffin's dcraw 9.20) in two of his four directions.
    ///
    /// - Parameters:
    ///   - rows: the row itself, the adjacent row that holds the squares' centres, the row beyond that one, and the row
    ///     two rows the other way.
    ///   - red: 1 at red samples, 0 elsewhere; `blue` likewise.
    static func estimateFlanked(
        _ rows: (own: Row, centre: Row, beyond: Row, other: Row), red: Row, blue: Row, along: Target, across: Target,
        count: Int
    ) {
        let (own, centre, beyond, other) = rows
        for x in 0..<count {
            let h = between(own[x - 1] + own[x + 1], own[x - 2] + own[x + 2])
            let v = beside(centre[x], other[x], own[x], beyond[x])
            let isSite = red[x] + blue[x] > 0
            along[x] = isSite ? h : own[x]
            across[x] = isSite ? v : own[x]
        }
    }

    /// The same in a row through the squares' centres, in which red and blue have green above and below.
    ///
    /// - Parameters:
    ///   - rows: the row itself, then the rows one and two before and after it.
    ///   - centreAfter: 1 where the centre of a sample's square comes after the sample in the row, 0 elsewhere.
    static func estimateCentral(
        _ rows: (own: Row, before: Row, after: Row, farBefore: Row, farAfter: Row),
        red: Row, blue: Row, centreAfter: Row, along: Target, across: Target, count: Int
    ) {
        let (own, before, after, farBefore, farAfter) = rows
        for x in 0..<count {
            let forth = beside(own[x + 1], own[x - 2], own[x], own[x + 2])
            let back = beside(own[x - 1], own[x + 2], own[x], own[x - 2])
            let h = centreAfter[x] > 0 ? forth : back
            let v = between(before[x] + after[x], farBefore[x] + farAfter[x])
            let isSite = red[x] + blue[x] > 0
            along[x] = isSite ? h : own[x]
            across[x] = isSite ? v : own[x]
        }
    }

    /// The mean of two rows.
    static func mean(_ a: Row, _ b: Row, into result: Target, count: Int) {
        for x in 0..<count { result[x] = (a[x] + b[x]) * 0.5 }
    }

    /// How much each sample differs from its neighbours `before` and `after`: the slope's magnitude plus the
    /// curvature's.
    static func activity(_ own: Row, before: Row, after: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let slope = after[x] - before[x]
            let curve = (own[x] + own[x]) - (after[x] + before[x])
            result[x] = slope.magnitude + curve.magnitude
        }
    }

    /// The share of the estimate along the row, 0…1: large where the picture changes little along it and much across.
    ///
    /// Both activities are summed over 3 × 3 samples. The weight of each direction is the square of the other's
    /// activity, as for Bayer mosaics (`ColourDifference.blend`).
    static func share(
        along: (Row, Row, Row), across: (Row, Row, Row), into result: Target, count: Int
    ) {
        for x in 0..<count {
            let a = square(along, x)
            let b = square(across, x)
            result[x] = b * b / (a * a + b * b)
        }
    }

    @inline(__always)
    private static func square(_ rows: (Row, Row, Row), _ x: Int) -> Float {
        let (p, q, r) = rows
        let left = (p[x - 1] + q[x - 1]) + r[x - 1]
        let middle = (p[x] + q[x]) + r[x]
        let right = (p[x + 1] + q[x + 1]) + r[x + 1]
        return ((left + middle) + right) + 1e-4
    }

    /// Green minus red at red samples and green minus blue at blue samples; 0 at all others.
    static func differences(
        own: Row, along: Row, across: Row, share: Row, sites: (red: Row, blue: Row), red: Target, blue: Target,
        count: Int
    ) {
        for x in 0..<count {
            let green = across[x] + (along[x] - across[x]) * share[x]
            let d = green - own[x]
            red[x] = sites.red[x] > 0 ? d : 0
            blue[x] = sites.blue[x] > 0 ? d : 0
        }
    }

    /// At samples of a colour, the weighted mean of its differences around them; 0 at all others.
    static func refine(_ mean: XTransDifferenceMean, share: Row, sites: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let d = mean.value(x, share[x])
            result[x] = sites[x] > 0 ? d : 0
        }
    }

    /// The three colours of each sample, as cube roots.
    static func colours(
        own: Row, differences: (red: Row, blue: Row), sites: (red: Row, blue: Row), share: Row,
        red: XTransDifferenceMean, blue: XTransDifferenceMean, into result: (red: Target, green: Target, blue: Target),
        count: Int
    ) {
        for x in 0..<count {
            let green = own[x] + (differences.red[x] + differences.blue[x])
            result.green[x] = green
            let r = green - red.value(x, share[x])
            let b = green - blue.value(x, share[x])
            result.red[x] = sites.red[x] > 0 ? own[x] : r
            result.blue[x] = sites.blue[x] > 0 ? own[x] : b
        }
    }
}
