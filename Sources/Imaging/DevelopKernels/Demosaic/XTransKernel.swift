/// The arithmetic of X-Trans interpolation on rows of roots of light, as integers from 0 to 16,383 (`FixedPointRoots`).
/// Intermediate values are floats and are rounded when stored, because rows of integers fit in nearer caches.
///
/// Every row is of one pattern column (`XTransColumns`) and points at its first sample to process.
enum XTransKernel {
    typealias Row = UnsafePointer<Int16>
    typealias Target = UnsafeMutablePointer<Int16>
    typealias Sums = UnsafePointer<Float>

    /// A share of 1 as an integer.
    static let whole: Float = 32_767

    /// 2²³: the lower bits after adding it are an integer.
    private static let shifter: Float = 8_388_608

    @inline(__always)
    private static func root(_ value: Float) -> Int16 { FixedPointRoots.rounded(value > 0 ? value : 0) }

    /// Green between two greens: their weighted sum, minus that of the two samples beyond them. The estimates are F.
    /// Markesteijn's (2013, in D. Coffin's dcraw 9.20) in two of his four directions.
    static func between(near: (Row, Row), far: (Row, Row), into green: Target, count: Int) {
        let (a, b, c, d) = (near.0, near.1, far.0, far.1)
        for x in 0..<count { green[x] = root(Float(a[x] &+ b[x]) * 0.6797 - Float(c[x] &+ d[x]) * 0.1797) }
    }

    /// Green beside the centre of a square: the centre's green, a little of the green two samples the other way, and
    /// the change of the sample's own colour to the sample beyond the centre.
    static func beside(centre: Row, other: Row, own: Row, beyond: Row, into green: Target, count: Int) {
        for x in 0..<count {
            green[x] = root(
                Float(centre[x]) * 0.8711 + Float(other[x]) * 0.1289 + Float(own[x] &- beyond[x]) * 0.3594)
        }
    }

    /// The mean of two rows, rounded down.
    static func mean(_ a: Row, _ b: Row, into result: Target, count: Int) {
        for x in 0..<count { result[x] = (a[x] &+ b[x]) &>> 1 }
    }

    /// The difference of each root from its neighbours: the slope's magnitude plus the curvature's, as an unsigned
    /// 16-bit number.
    static func activity(_ own: Row, before: Row, after: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let slope = after[x] &- before[x]
            let curve = (own[x] &+ own[x]) &- (after[x] &+ before[x])
            result[x] = (slope < 0 ? 0 &- slope : slope) &+ (curve < 0 ? 0 &- curve : curve)
        }
    }

    /// The sum of each column of three rows of activities, of 18 bits.
    static func columnSums(_ rows: (Row, Row, Row), into result: UnsafeMutablePointer<Float>, _ range: Range<Int>) {
        let (p, q, r) = rows
        for x in range {
            let sum =
                UInt32(UInt16(bitPattern: p[x])) &+ UInt32(UInt16(bitPattern: q[x]))
                &+ UInt32(UInt16(bitPattern: r[x]))
            // The compiler would make a conversion of 64 bits.
            result[x] = Float(bitPattern: sum | shifter.bitPattern) - shifter
        }
    }

    /// The share of the estimate along the row, from 0 to `whole`: large if the picture changes little along the row
    /// and much across it.
    ///
    /// Sums both activities over 3 × 3 samples. The weight of a direction is the square of the other's activity, as for
    /// Bayer mosaics (`ColourDifference.blend`).
    ///
    /// - Parameter along: column sums of the activity along the row (`XTransSums`); `across` likewise.
    static func share(along: Sums, across: Sums, into result: Target, count: Int) {
        let step = XTransSums.stride
        for x in 0..<count {
            let a = along[x - step] + along[x] + along[x + step] + 1.5
            let b = across[x - step] + across[x] + across[x + step] + 1.5
            result[x] = FixedPointRoots.signed(b * b / (a * a + b * b) * whole)
        }
    }

    /// Green minus the sample's own colour, at red and blue samples.
    static func differences(own: Row, along: Row, across: Row, share: Row, into result: Target, count: Int) {
        for x in 0..<count {
            let green = Float(across[x]) + Float(along[x] &- across[x]) * (Float(share[x]) * (1 / whole))
            result[x] = FixedPointRoots.signed(green - Float(own[x]))
        }
    }

    /// At samples of a colour, the weighted mean of its differences around them.
    static func refine(_ mean: XTransDifferenceMean, share: Row, into result: Target, count: Int) {
        mean.taps.withConstants { taps in
            for x in 0..<count {
                result[x] = FixedPointRoots.signed(mean.value(x, Float(share[x]) * (1 / whole), taps))
            }
        }
    }

    /// Green of red or blue samples, which may exceed the range of roots.
    static func greens(own: Row, difference: Row, into result: Target, count: Int) {
        for x in 0..<count { result[x] = own[x] &+ difference[x] }
    }

    /// Red or blue at samples of another colour. `green` comes from `greens`; `mean` is green minus the colour.
    static func colour(green: Row, mean: XTransDifferenceMean, share: Row, into result: Target, count: Int) {
        mean.taps.withConstants { taps in
            for x in 0..<count {
                result[x] = root(Float(green[x]) - mean.value(x, Float(share[x]) * (1 / whole), taps))
            }
        }
    }

    /// Clamps to the range of roots.
    static func bound(_ row: Target, count: Int) {
        let top = Int16(FixedPointRoots.max)
        for x in 0..<count { row[x] = min(max(row[x], 0), top) }
    }
}
