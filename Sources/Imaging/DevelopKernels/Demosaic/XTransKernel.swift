/// The arithmetic of X-Trans interpolation, on rows of roots of light as integers from 0 to 16,383 (`FixedPointRoots`). What is
/// between integers is a float, and rounded when it is stored: rows of integers fit into nearer caches.
///
/// Every row points at its first sample to work on; neighbours are reached by negative indices and by those beyond
/// `count`.
enum XTransKernel {
    typealias Row = UnsafePointer<Int16>
    typealias Target = UnsafeMutablePointer<Int16>
    typealias Factors = UnsafePointer<Float>

    /// A share of 1 as an integer.
    static let whole: Float = 32_767

    /// Green between two greens: their sum weighted, less that of the two samples beyond them.
    @inline(__always)
    private static func between(_ near: Int16, _ far: Int16) -> Float { Float(near) * 0.6797 - Float(far) * 0.1797 }

    /// Green beside the centre of a square: the centre's green, a little of the green two samples the other way, and
    /// the change of the sample's own colour to the sample beyond the centre.
    @inline(__always)
    private static func beside(_ centre: Int16, _ other: Int16, _ change: Int16) -> Float {
        Float(centre) * 0.8711 + Float(other) * 0.1289 + Float(change) * 0.3594
    }

    /// The nearest root.
    @inline(__always)
    private static func root(_ value: Float) -> Int16 { FixedPointRoots.rounded(value > 0 ? value : 0) }

    /// Green along and across a row in which red and blue samples have green on either side. Green samples keep their
    /// values.
    ///
    /// The estimates are those of F. Markesteijn (2013, in D. Coffin's dcraw 9.20) in two of his four directions.
    ///
    /// - Parameters:
    ///   - rows: the row itself, the adjacent row that holds the squares' centres, the row beyond that one, and the row
    ///     two rows the other way.
    ///   - isSite: 1 at red and blue samples, 0 at green ones.
    static func estimateFlanked(
        _ rows: (own: Row, centre: Row, beyond: Row, other: Row), isSite: Factors, along: Target, across: Target,
        count: Int
    ) {
        let (own, centre, beyond, other) = rows
        // In two loops: compilers write no vectors where they would have to compare too many rows' addresses.
        for x in 0..<count {
            let h = root(between(own[x - 1] &+ own[x + 1], own[x - 2] &+ own[x + 2]))
            along[x] = isSite[x] > 0 ? h : own[x]
        }
        for x in 0..<count {
            let v = root(beside(centre[x], other[x], own[x] &- beyond[x]))
            across[x] = isSite[x] > 0 ? v : own[x]
        }
    }

    /// The same in a row through the squares' centres, in which red and blue have green above and below.
    ///
    /// - Parameters:
    ///   - rows: the row itself, then the rows one and two before and after it.
    ///   - centreAfter: 1 where the centre of a sample's square comes after the sample in the row, 0 elsewhere.
    static func estimateCentral(
        _ rows: (own: Row, before: Row, after: Row, farBefore: Row, farAfter: Row), isSite: Factors,
        centreAfter: Factors, along: Target, across: Target, count: Int
    ) {
        let (own, before, after, farBefore, farAfter) = rows
        for x in 0..<count {
            let forth = beside(own[x + 1], own[x - 2], own[x] &- own[x + 2])
            let back = beside(own[x - 1], own[x + 2], own[x] &- own[x - 2])
            let h = root(centreAfter[x] > 0 ? forth : back)
            along[x] = isSite[x] > 0 ? h : own[x]
        }
        for x in 0..<count {
            let v = root(between(before[x] &+ after[x], farBefore[x] &+ farAfter[x]))
            across[x] = isSite[x] > 0 ? v : own[x]
        }
    }

    /// The mean of two rows of roots, rounded down.
    static func mean(_ a: Row, _ b: Row, into result: Target, count: Int) {
        for x in 0..<count { result[x] = (a[x] &+ b[x]) &>> 1 }
    }

    /// How much each root differs from its neighbours `before` and `after`: the slope's magnitude plus the
    /// curvature's, as a number of 16 bits without a sign.
    static func activity(_ own: Row, before: Row, after: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let slope = after[x] &- before[x]
            let curve = (own[x] &+ own[x]) &- (after[x] &+ before[x])
            result[x] = (slope < 0 ? 0 &- slope : slope) &+ (curve < 0 ? 0 &- curve : curve)
        }
    }

    /// The sum of each column of three rows of activities.
    static func columnSums(_ rows: (Row, Row, Row), into result: UnsafeMutablePointer<Float>, _ range: Range<Int>) {
        let (p, q, r) = rows
        for x in range {
            let sum =
                Int32(UInt16(bitPattern: p[x])) &+ Int32(UInt16(bitPattern: q[x])) &+ Int32(UInt16(bitPattern: r[x]))
            result[x] = Float(sum)
        }
    }

    /// The share of the estimate along the row, from 0 to `whole`: large where the picture changes little along it and much
    /// across.
    ///
    /// Both activities are summed over 3 × 3 samples. The weight of each direction is the square of the other's
    /// activity, as for Bayer mosaics (`ColourDifference.blend`).
    ///
    /// - Parameters:
    ///   - along: sums of the columns of the activity along the row; `across` likewise.
    static func share(along: Factors, across: Factors, into result: Target, count: Int) {
        for x in 0..<count {
            let a = along[x - 1] + along[x] + along[x + 1] + 1.5
            let b = across[x - 1] + across[x] + across[x + 1] + 1.5
            result[x] = FixedPointRoots.signed(b * b / (a * a + b * b) * whole)
        }
    }

    /// Green minus red at red samples and green minus blue at blue samples; 0 at all others.
    static func differences(
        own: Row, along: Row, across: Row, share: Row, sites: (red: Factors, blue: Factors), red: Target, blue: Target,
        count: Int
    ) {
        for x in 0..<count {
            let green = Float(across[x]) + Float(along[x] &- across[x]) * (Float(share[x]) * (1 / whole))
            let d = FixedPointRoots.signed(green - Float(own[x]))
            red[x] = sites.red[x] > 0 ? d : 0
            blue[x] = sites.blue[x] > 0 ? d : 0
        }
    }

    /// At samples of a colour, the weighted mean of its differences around them; 0 at all others.
    static func refine(_ mean: XTransDifferenceMean, share: Row, sites: Factors, into result: Target, count: Int) {
        for x in 0..<count {
            let d = FixedPointRoots.signed(mean.value(x, Float(share[x]) * (1 / whole)))
            result[x] = sites[x] > 0 ? d : 0
        }
    }

    /// The green of each sample, which may lie beyond the roots.
    static func greens(own: Row, differences: (red: Row, blue: Row), into result: Target, count: Int) {
        for x in 0..<count { result[x] = own[x] &+ (differences.red[x] &+ differences.blue[x]) }
    }

    /// The red or the blue of each sample.
    ///
    /// - Parameters:
    ///   - green: of `greens`.
    ///   - mean: of how much less the colour is.
    ///   - sites: 1 at samples of the colour, which keep it.
    static func colour(
        own: Row, green: Row, mean: XTransDifferenceMean, share: Row, sites: Factors, into result: Target, count: Int
    ) {
        for x in 0..<count {
            let other = root(Float(green[x]) - mean.value(x, Float(share[x]) * (1 / whole)))
            result[x] = sites[x] > 0 ? own[x] : other
        }
    }

    /// Keeps to roots.
    static func bound(_ row: Target, count: Int) {
        let top = Int16(FixedPointRoots.max)
        for x in 0..<count { row[x] = min(max(row[x], 0), top) }
    }
}
