import ColourScience

/// Everything that decides the colours of a film: how it sees, what it is developed into, and what it is shown on.
///
/// The way of light: exposure of three layers ▸ density of each (negatives) ▸ couplers, by which layers hold each other back ▸
/// paper, or the slide itself ▸ light through its dyes.
struct Film: Hashable, Sendable {
    typealias Curve = CharacteristicCurve

    /// Of the negative's red, green and blue layer; nil for a slide, whose layers are those of `print`.
    var negative: [Curve]?
    /// Of the paper's, the print film's or the slide's layers, for exposures that fall where the scene's light rises.
    var print: [Curve]
    /// How much each layer sees of light of every colour: 0 for colours as they are, 1 for none.
    var crosstalk = 0.0
    /// What counts as all light: weights of red, green and blue, whose sum is 1.
    var crosstalkWeights = SIMD3(repeating: 1.0 / 3)
    /// By how much each layer is pushed away from the mean of the others, as a share of the difference of densities.
    var couplers = SIMD3<Double>.zero
    /// Silver that stays beside the dyes (bleach bypass), as a share of the density.
    var silver = 0.0
    /// For a film of one layer: how much it sees of red, green and blue light. Their sum is 1.
    var panchromatic: SIMD3<Double>?
    /// Density of red, green and blue, beyond that of mid grey, with which mid grey is printed.
    var cast = SIMD3<Double>.zero
    /// How much of the print's black is taken for black: 1 has it without any light.
    var blackPoint = 0.8
    /// What is left of dyes that faded, as a share of their density.
    var fading = SIMD3<Double>(repeating: 1)
    /// Density of the yellowed base.
    var stain = SIMD3<Double>.zero
    /// Density of a toner, half-way between white and a density of 2.
    var toning = SIMD3<Double>.zero
    /// How much of the scene's hue the print keeps, 0…1. Three curves, each for its own colour, turn dark skin towards red and
    /// bright skin towards yellow: 0 has that.
    var hue = 0.0
    /// Stops that the film is exposed less and developed longer.
    var push = 0.0
    /// Grain as granularity (``FilmGrain/granularity``) and size in µm; nil for none.
    var grain: Grain?
    /// Light that spreads in the layers; nil for none.
    var halation: Halation?
    /// The size of the picture on the film.
    var format = Format.small

    /// Grain of a film.
    struct Grain: Hashable, Sendable {
        /// 1,000 times the rms of density at a density of 1 above base, through 48 µm.
        var granularity: Double
        /// Standard deviation of the Gaussian that a grain blurs, in µm.
        var size: Double
    }

    /// Halation of a film.
    struct Halation: Hashable, Sendable {
        /// Of red, green and blue light.
        var shares: SIMD3<Double>
        /// Standard deviation along one direction, in µm.
        var spread: Double
    }

    /// A size of film.
    enum Format: String, Hashable, Sendable, CaseIterable {
        /// 36 × 24 mm.
        case small = "135"
        /// 70 × 56 mm.
        case medium = "120"
        /// 120 × 96 mm.
        case large = "4x5"

        /// The longer edge of a picture.
        var longEdgeMicrometres: Double {
            switch self {
            case .small: 36_000
            case .medium: 70_000
            case .large: 120_000
            }
        }
    }

    /// A text that changes whenever anything about the film does.
    var definition: String {
        func text(_ v: SIMD3<Double>) -> String { "\(v.x) \(v.y) \(v.z)" }
        func text(_ curves: [Curve]) -> String {
            curves.map { "\($0.base) \($0.gamma) \($0.start) \($0.toe) \($0.end) \($0.shoulder)" }
                .joined(separator: ", ")
        }
        return """
            film
            negative \(negative.map(text) ?? "none")
            print \(text(print))
            crosstalk \(crosstalk) of \(text(crosstalkWeights))
            couplers \(text(couplers))
            silver \(silver)
            panchromatic \(panchromatic.map(text) ?? "no")
            cast \(text(cast))
            black-point \(blackPoint)
            fading \(text(fading))
            stain \(text(stain))
            toning \(text(toning))\(hue == 0 ? "" : "\nhue \(hue)")
            push \(push)
            grain \(grain.map { "\($0.granularity) \($0.size)" } ?? "none")
            halation \(halation.map { "\(text($0.shares)) \($0.spread)" } ?? "none")
            format \(format.rawValue)

            """
    }

    /// The same film with three layers like its green one, and without a cast: greys are grey on it.
    var even: Film {
        var film = self
        film.negative = negative.map { Array(repeating: $0[1], count: 3) }
        film.print = Array(repeating: print[1], count: 3)
        film.cast = .zero
        film.fading = SIMD3(repeating: 1)
        film.stain = .zero
        film.toning = .zero
        film.hue = 0
        return film
    }

    /// The same film, pushed by more stops: contrast grows by 15 % a stop, shadows are lost, fog and grain grow.
    func pushed(by stops: Double) -> Film {
        if stops == 0 { return self }
        var film = self
        film.push += stops
        let gain = DeterministicMath.pow(1.15, stops)
        func push(_ curve: Curve, _ shift: Double) -> Curve {
            var curve = curve
            curve.base += 0.03 * stops
            curve.gamma *= gain
            curve.start += shift
            curve.end += shift
            return curve
        }
        // 0.7 of the exposure that is missing is not made up for by the longer development.
        let shift = 0.7 * 0.30103 * stops
        if let layers = negative {
            film.negative = layers.map { push($0, shift) }
        } else {
            film.print = print.map { curve in
                var curve = curve
                let range = curve.range
                curve.gamma *= gain
                curve.end = curve.start + range / curve.gamma
                return curve
            }
        }
        film.grain?.granularity *= DeterministicMath.pow(1.2, stops)
        return film
    }
}
