import ColourScience

/// The `neutral` rendering from scene light to display light: the response curve of K. I. Naka and W. A. H. Rushton
/// (1966, "S-potentials from colour units in the retina of fish") with exponent 2, whose shoulder rolls off highlights
/// like film, over a toe, as from stray light, that separates shadows.
///
/// Mid grey keeps its value, and saturated light becomes display white. In between, a stop of the scene is 1.35 to 1.4
/// stops on display at mid grey and less towards both ends, as in cameras' own pictures.
struct ToneCurve: Equatable {
    /// Upper limit of contrast, in display stops per scene stop, without toe and shoulder.
    static let maxContrast = 2.0
    /// Mid grey, in the scene and on the display.
    static let grey = 0.18

    /// Supported whites. A darker white would bend the curve the other way.
    private static let whites = 0.8...15.0

    private let gain: Double
    private let halfway: Double
    private let toe: Double

    /// Scene light `white`, clamped to 0.8…15, becomes display white.
    init(white: Double, contrast: Contrast = .usual) {
        toe = contrast.toe
        // y = g p / (p + h) with p = x² + toe · x, y(white) = 1 and y(grey) = grey, solved for h and g.
        func power(_ x: Double) -> Double { x * (x + contrast.toe) }
        let top = power(min(max(white, Self.whites.lowerBound), Self.whites.upperBound))
        let middle = power(Self.grey)
        halfway = middle * top * (1 - Self.grey) / (Self.grey * top - middle)
        gain = (top + halfway) / top
    }

    /// Display light, 0…1, of scene light from 0 up.
    func callAsFunction(_ x: SIMD8<Double>) -> SIMD8<Double> {
        let power = x * (x + toe)
        return pointwiseMin(gain * power / (power + halfway), .one)
    }

    /// Scene light of display light, 0…1: the inverse up to display white.
    func light(_ display: Double) -> Double {
        let power = halfway * display / (gain - display)
        return ((toe * toe + 4 * power).squareRoot() - toe) / 2
    }
}

/// Contrast of a tone curve in just noticeable steps, each of which widens the toe by half an octave.
struct Contrast: Hashable, Comparable {
    /// 0 is the usual contrast; more steps reduce it.
    let steps: Int

    /// As most cameras' own pictures.
    static let usual = Contrast(steps: 0)
    /// From 1.5 to 1.1 display stops per scene stop at mid grey.
    static let range = Contrast(steps: -2)...Contrast(steps: 6)

    /// Scene light at which the toe and the curve's power are equal.
    var toe: Double { 0.1 * DeterministicMath.exp2(Double(steps) / 2) }

    static func < (a: Contrast, b: Contrast) -> Bool { a.steps < b.steps }
}
