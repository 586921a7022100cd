/// The arithmetic of X-Trans interpolation along rows: pointers to the samples in question and to their neighbours.
enum XTransKernel {
    typealias Row = UnsafePointer<Float>
    typealias Target = UnsafeMutablePointer<Float>

    /// Green between two greens: those beside and, less, those beyond.
    @inline(__always)
    private static func between(_ near: Float, _ far: Float) -> Float { near * 0.6797 - far * 0.1797 }

    /// Green beside the square's centre: that centre's green, some of the green two samples the other way, and what
    /// the sample's own colour changes to beyond the centre.
    @inline(__always)
    private static func beside(_ centre: Float, _ other: Float, _ own: Float, _ beyond: Float) -> Float {
        centre * 0.8711 + other * 0.1289 + (own - beyond) * 0.3594
    }

    /// Green along and across the row at red and blue samples that have green on either side in the row; all other
    /// samples' own values.
    ///
    /// The estimates are those of F. Markesteijn (2013, in D. Coffin's dcraw 9.20) in two of his four directions.
    /// - Parameters:
    ///   - rows: the row itself, the one with the squares' centres beside it, the one beyond that, and the one two rows
    ///     the other way.
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

    /// The same in rows through the squares' centres, where red and blue have green above and below.
    /// - Parameter rows: the row itself, then those one and two before and after.
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

    static func mean(_ a: Row, _ b: Row, into result: Target, count: Int) {
        for x in 0..<count { result[x] = (a[x] + b[x]) * 0.5 }
    }

    /// How much a row's samples differ from what lies `before` and `after` them: slope and curvature.
    static func activity(_ own: Row, before: Row, after: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let slope = after[x] - before[x]
            let curve = (own[x] + own[x]) - (after[x] + before[x])
            result[x] = slope.magnitude + curve.magnitude
        }
    }

    /// The share of what is estimated along rows, 0…1: large where little changes along and much across. Both
    /// activities are summed over 3 × 3 samples; each direction has the square of the other's for its weight, as for
    /// Bayer mosaics (`ColourDifference.blend`).
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

    /// Green minus the other colour, apart for red and blue; 0 where the row has none.
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

    /// Where a colour stands, the difference from its neighbours of the same colour; 0 elsewhere.
    static func refine(_ sums: XTransSums, share: Row, sites: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let d = sums.difference(x, share[x])
            result[x] = sites[x] > 0 ? d : 0
        }
    }

    /// The three colours, as square roots.
    static func colours(
        own: Row, differences: (red: Row, blue: Row), sites: (red: Row, blue: Row), share: Row,
        red: XTransSums, blue: XTransSums, into result: (red: Target, green: Target, blue: Target), count: Int
    ) {
        for x in 0..<count {
            let green = own[x] + (differences.red[x] + differences.blue[x])
            result.green[x] = green
            let r = green - red.difference(x, share[x])
            let b = green - blue.difference(x, share[x])
            result.red[x] = sites.red[x] > 0 ? own[x] : r
            result.blue[x] = sites.blue[x] > 0 ? own[x] : b
        }
    }
}
