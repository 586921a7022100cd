import ColourScience

/// All parameters of a film's colours: sensitivity, development, and print.
///
/// Path of the light: exposure of three layers ▸ density of each (negatives) ▸ couplers, by which layers inhibit each
/// other ▸ paper, or the slide itself ▸ light through the dyes.
struct Film: Hashable, Sendable {
    typealias Curve = CharacteristicCurve

    /// Curves of the negative's red, green and blue layers; nil for a slide, whose layers are those of `print`.
    var negative: [Curve]?
    /// Curves of the paper, print film or slide. Exposure rises with the scene's light.
    var print: [Curve]
    /// Sensitivity of each layer to light of other colours: 0 for pure colours, 1 for none.
    var crosstalk = 0.0
    /// Weights of red, green and blue in total light. Their sum is 1.
    var crosstalkWeights = SIMD3(repeating: 1.0 / 3)
    /// Inhibition: each layer moves away from the mean of the others by this fraction of the difference in density.
    var couplers = SIMD3<Double>.zero
    /// Silver left beside the dyes (bleach bypass), as a fraction of the density.
    var silver = 0.0
    /// Sensitivity of a single-layer film to red, green and blue light. Their sum is 1.
    var panchromatic: SIMD3<Double>?
    /// Extra densities of red, green and blue with which mid grey is printed.
    var cast = SIMD3<Double>.zero
    /// Fraction of the print's black that counts as black: 1 maps it to no light.
    var blackPoint = 0.8
    /// Remaining fraction of the density of faded dyes.
    var fading = SIMD3<Double>(repeating: 1)
    /// Density of the yellowed base.
    var stain = SIMD3<Double>.zero
    /// Density of a toner, half-way between white and a density of 2.
    var toning = SIMD3<Double>.zero
    /// Fraction of the scene's hue that the print keeps, 0…1. Separate curves for each colour turn dark skin towards
    /// red and bright skin towards yellow; 0 keeps that effect.
    var hue = 0.0
    /// Stops of underexposure that longer development compensates.
    var push = 0.0
    /// Grain as granularity (``FilmGrain/granularity``) and size in µm; nil for none.
    var grain: Grain?
    /// Spread of light in the layers; nil for none.
    var halation: Halation?
    /// Size of the picture on the film.
    var format = Format.small

    struct Grain: Hashable, Sendable {
        /// 1,000 times the rms of density at a density of 1 above base, through 48 µm.
        var granularity: Double
        /// Standard deviation of the Gaussian that a grain blurs, in µm.
        var size: Double
    }

    struct Halation: Hashable, Sendable {
        /// Fractions of red, green and blue light.
        var shares: SIMD3<Double>
        /// Standard deviation along one direction, in µm.
        var spread: Double
    }

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

    /// A text that changes with every parameter of the film.
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

    /// The film with three layers like its green one, and no cast: greys stay grey.
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

    /// The film pushed by more stops: contrast grows by 15 % per stop, shadow detail decreases, fog and grain grow.
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
        // Longer development does not compensate 0.7 of the missing exposure.
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
