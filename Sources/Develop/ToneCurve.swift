/// The `neutral` rendering: scene light to display light by the response curve of Naka and Rushton (1966, "S-potentials
/// from colour units in the retina of fish"), whose shoulder rolls highlights off the way film does.
struct ToneCurve: Equatable {
    /// Slope at mid grey in double-logarithmic terms, apart from the shoulder's share.
    static let contrast = 1.35
    /// Scene light that becomes display white.
    static let whitePoint = 2.6
    /// Scene mid grey and the display light it becomes.
    static let greyIn = 0.18
    static let greyOut = 0.19

    private let gain: Double
    private let halfway: Double

    init() {
        // y = g xⁿ / (xⁿ + h) with y(white) = 1 and y(greyIn) = greyOut, solved for h and g.
        let white = DeterministicMath.pow(Self.whitePoint, Self.contrast)
        let grey = DeterministicMath.pow(Self.greyIn, Self.contrast)
        halfway = grey * white * (1 - Self.greyOut) / (Self.greyOut * white - grey)
        gain = (white + halfway) / white
    }

    /// Display light 0…1 of scene light 0….
    func callAsFunction(_ x: Double) -> Double {
        let power = DeterministicMath.pow(x, Self.contrast)
        return min(gain * power / (power + halfway), 1)
    }
}
