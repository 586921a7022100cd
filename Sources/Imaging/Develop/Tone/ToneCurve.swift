import ColourScience

/// The `neutral` rendering, from scene light to display light: the response curve of K. I. Naka and W. A. H. Rushton
/// (1966, "S-potentials from colour units in the retina of fish"), whose shoulder rolls off highlights as film does.
///
/// Mid grey keeps its value, and what the sensor could not tell from white becomes display white.
struct ToneCurve: Equatable {
    /// The curve's exponent: the contrast in the shadows, which the shoulder reduces towards the highlights.
    static let contrast = 1.16
    /// Mid grey, in the scene and on the display.
    static let grey = 0.18

    /// The whites that the curve is made for. Below 0.789, which is grey to the power of 1 - 1 / contrast, it would
    /// have to bend the other way.
    private static let whites = 0.8...15.0

    private let gain: Double
    private let halfway: Double

    /// - Parameter white: scene light that becomes display white, clamped to 0.8…15.
    init(white: Double) {
        // y = g xⁿ / (xⁿ + h) with y(white) = 1 and y(grey) = grey, solved for h and g.
        let top = DeterministicMath.pow(
            min(max(white, Self.whites.lowerBound), Self.whites.upperBound), Self.contrast)
        let middle = DeterministicMath.pow(Self.grey, Self.contrast)
        halfway = middle * top * (1 - Self.grey) / (Self.grey * top - middle)
        gain = (top + halfway) / top
    }

    /// Display light, 0…1, of scene light from 0 up.
    func callAsFunction(_ x: SIMD8<Double>) -> SIMD8<Double> {
        let power = DeterministicMath.pow(x, Self.contrast)
        return pointwiseMin(gain * power / (power + halfway), .one)
    }
}
