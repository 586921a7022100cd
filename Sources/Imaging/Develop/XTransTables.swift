import Pixels

/// What a kernel has to know about each place of the X-Trans pattern, as rows that repeat the pattern: so that kernels
/// go straight along a row, whatever its samples see.
final class XTransTables {
    /// Columns a kernel works on at once; a multiple of six.
    static let chunk = 504

    /// 1 where the row has red (or blue), 0 elsewhere.
    enum Kind: Int {
        case red, blue
        /// 1 where the centre of a red or blue sample's square lies after it in the row.
        case centreAfter
        /// What the weighted sums along and across rows are to be multiplied by, for red and for blue.
        case redAlong, redAcross, blueAlong, blueAcross
    }
    private static let kinds = 7

    private let store: ScratchRows

    init() {
        store = ScratchRows(rows: 6 * Self.kinds, count: Self.chunk + 6)
        let origin = XTransPhase(x: 0, y: 0)
        for y in 0..<6 {
            for x in 0..<(Self.chunk + 6) {
                let colour = origin.colour(x, y)
                set(.red, x, y, colour == .red ? 1 : 0)
                set(.blue, x, y, colour == .blue ? 1 : 0)
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

    /// A table from a place in the pattern on, for `chunk` samples.
    @inline(__always)
    func table(_ kind: Kind, column: Int, row y: Int) -> UnsafePointer<Float> { UnsafePointer(row(kind, y) + column) }

    /// Weights by distance, of Gaussians with a deviation of 2 samples along and 0.8 across, as written here.
    @inline(__always)
    static var long: (Float, Float, Float, Float) { (1, 0.8825, 0.6065, 0.3247) }
    @inline(__always)
    static var short: (Float, Float) { (1, 0.4578) }

    /// The reciprocal of the weights that fall on samples of a colour, around a place.
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
