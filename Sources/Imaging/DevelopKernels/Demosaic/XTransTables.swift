import Pixels

/// What a kernel has to know about each position of the X-Trans pattern, as rows that repeat the pattern. So kernels go
/// straight along a row without looking up colours.
final class XTransTables {
    /// Columns that a kernel works on at once, a multiple of six.
    static let chunk = 504

    /// The tables of each row of the pattern.
    enum Kind: Int {
        /// 1 where the row has red (or blue), 0 elsewhere.
        case red, blue
        /// 1 where the row has red or blue, 0 elsewhere.
        case site
        /// 1 where the centre of a sample's square comes after the sample in the row, 0 elsewhere.
        case centreAfter
        /// Factors that make means of the weighted sums along and across rows, for red and for blue.
        case redAlong, redAcross, blueAlong, blueAcross
    }
    private static let kinds = 8

    private let store: ScratchRows

    init() {
        store = ScratchRows(rows: 6 * Self.kinds, count: Self.chunk + 6)
        let origin = XTransPhase(x: 0, y: 0)
        for y in 0..<6 {
            for x in 0..<(Self.chunk + 6) {
                let colour = origin.colour(x, y)
                set(.red, x, y, colour == .red ? 1 : 0)
                set(.blue, x, y, colour == .blue ? 1 : 0)
                set(.site, x, y, colour == .green ? 0 : 1)
                set(.centreAfter, x, y, x % 3 == 0 ? 1 : 0)
                set(.redAlong, x, y, Self.scale(x, y, .red, reachX: 3, reachY: 1))
                set(.redAcross, x, y, Self.scale(x, y, .red, reachX: 1, reachY: 3))
                set(.blueAlong, x, y, Self.scale(x, y, .blue, reachX: 3, reachY: 1))
                set(.blueAcross, x, y, Self.scale(x, y, .blue, reachX: 1, reachY: 3))
            }
        }
    }

    private func set(_ kind: Kind, _ x: Int, _ y: Int, _ value: Float) { row(kind, y)[x] = value }

    private func row(_ kind: Kind, _ y: Int) -> UnsafeMutablePointer<Float> {
        store.row(y * Self.kinds + kind.rawValue)
    }

    /// A table from a column of the pattern on, for `chunk` samples.
    @inline(__always)
    func table(_ kind: Kind, column: Int, row y: Int) -> UnsafePointer<Float> { UnsafePointer(row(kind, y) + column) }

    /// Weights by distance along the longer side: a Gaussian with a deviation of 2 samples, to four digits.
    @inline(__always)
    static var long: (Float, Float, Float, Float) { (1, 0.8825, 0.6065, 0.3247) }
    /// Weights by distance along the shorter side: a Gaussian with a deviation of 0.8 samples, to four digits.
    @inline(__always)
    static var short: (Float, Float) { (1, 0.4578) }

    /// The reciprocal of the sum of the weights that fall on samples of a colour around a position of the pattern.
    private static func scale(_ x: Int, _ y: Int, _ colour: CFAColour, reachX: Int, reachY: Int) -> Float {
        let origin = XTransPhase(x: 0, y: 0)
        let far = [long.0, long.1, long.2, long.3]
        let near = [short.0, short.1]
        var sum: Float = 0
        for dy in -reachY...reachY {
            for dx in -reachX...reachX where origin.colour(x + dx, y + dy) == colour {
                let weightX = reachX == 3 ? far[abs(dx)] : near[abs(dx)]
                let weightY = reachY == 3 ? far[abs(dy)] : near[abs(dy)]
                sum += weightX * weightY
            }
        }
        return 1 / sum
    }
}
