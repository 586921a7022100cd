import ColourScience

/// Gives a film's colours the hue of the scene's light, or a fraction of it.
///
/// The outer channels are kept, and the middle one returns to its relative place between them (as Adobe's DNG SDK
/// applies tone curves). A film with three equal layers gives that place, so that greys and the film's effect on them
/// are preserved.
final class HueKeeping: Sendable {
    typealias Vector = DeterministicMath.Vector

    private let even: FilmRendering
    private let share: Double
    private let isEven: Bool

    /// Invisible light, which prevents a division by zero.
    private static let dark = 1e-4

    init(_ film: Film) {
        even = FilmRendering(film.even)
        share = film.hue
        isEven = film.negative == even.film.negative
    }

    /// Factors of the print's channels, for eight colours of the scene.
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
