import ColourScience

/// Gives a film's colours the hue of the scene's light, or a share of it.
///
/// The outer channels stay, and the one between them returns to its place between both (as Adobe's DNG SDK applies tone curves).
/// Where that place is, the film tells whose three layers are alike; so greys, and what a film does to them, stay as they are.
final class HueKeeping: Sendable {
    typealias Vector = DeterministicMath.Vector

    private let even: FilmRendering
    private let share: Double
    /// Whether the film's layers have the densities of alike ones.
    private let isEven: Bool

    /// Light that no eye sees, lest black divide.
    private static let dark = 1e-4

    init(_ film: Film) {
        even = FilmRendering(film.even)
        share = film.hue
        isEven = film.negative == even.film.negative
    }

    /// What the print's channels are multiplied by, for eight colours of the scene.
    ///
    /// - Parameter densities: of the film for these colours.
    func factors(_ scene: [Vector], densities: [Vector]) -> [Vector] {
        let print = isEven ? even.light(of: densities) : even.light(scene)
        let (low, span) = Self.range(scene)
        let (printLow, printSpan) = Self.range(print)
        let divisor = span.replacing(with: 1, where: span .<= 0)
        return (0..<3).map { channel in
            let place = (scene[channel] - low) / divisor
            let kept = (printLow + printSpan * place + Self.dark) / (print[channel] + Self.dark)
            return 1 + share * (kept - 1)
        }
    }

    private static func range(_ colour: [Vector]) -> (low: Vector, span: Vector) {
        let low = pointwiseMin(pointwiseMin(colour[0], colour[1]), colour[2])
        let high = pointwiseMax(pointwiseMax(colour[0], colour[1]), colour[2])
        return (low, high - low)
    }
}
