import Pixels

/// Weights of differences by distance, and scales that turn weighted sums into means.
struct XTransWeights {
    /// By distance along the longer side: a Gaussian with a deviation of 2 samples, to four digits.
    @inline(__always)
    static var long: (Float, Float, Float, Float) { (1, 0.8825, 0.6065, 0.3247) }
    /// By distance along the shorter side: a Gaussian with a deviation of 0.8 samples, to four digits.
    @inline(__always)
    static var short: (Float, Float) { (1, 0.4578) }

    struct Place {
        /// Scales that turn the sums along and across the row into means.
        let scales: (along: Float, across: Float)
        let taps: XTransTaps
    }

    /// By row and column of the pattern, for red and for blue.
    private let places: (red: [Place], blue: [Place])

    init() {
        func all(_ colour: CFAColour) -> [Place] {
            (0..<36).map { index in
                let (x, y) = (index % 6, index / 6)
                return Place(
                    scales: (
                        Self.scale(x, y, colour, reachX: 3, reachY: 1), Self.scale(x, y, colour, reachX: 1, reachY: 3)
                    ), taps: XTransTaps(colour, column: x, row: y))
            }
        }
        places = (all(.red), all(.blue))
    }

    func place(_ colour: CFAColour, column: Int, row: Int) -> Place {
        colour == .red ? places.red[6 * row + column] : places.blue[6 * row + column]
    }

    /// Reciprocal of the sum of weights on samples of a colour around a pattern position.
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
