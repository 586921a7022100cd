/// The built-in films, as looks.
///
/// Their curves are our own. They follow the properties that manufacturers' data sheets give for each kind of film
/// (contrast, exposure range, granularity), and were adjusted by eye on photos.
extension LookCatalogue {
    static let films: [Look] = [
        film(
            "daylight", "Colour negative for sunny days, printed on glossy paper; after the films of family albums.",
            Film(
                negative: negative(gamma: 0.62), print: paper(gamma: 2.55, range: 2.45), crosstalk: 0.09,
                couplers: SIMD3(0.15, 0.17, 0.14), cast: SIMD3(-0.008, 0, 0.010), blackPoint: 0.85, hue: 0.85,
                grain: .init(granularity: 5, size: 3.6), halation: .init(shares: SIMD3(0.012, 0.004, 0), spread: 60))),
        film(
            "portrait", "Colour negative with soft contrast and kind skin; after films made for portraits.",
            Film(
                negative: negative(gamma: 0.58, toe: 0.26, end: 2.2, shoulder: 0.42),
                print: paper(gamma: 2.55, toe: 0.155),
                crosstalk: 0.13, crosstalkWeights: skin, couplers: SIMD3(0.09, 0.11, 0.08),
                cast: SIMD3(-0.010, 0, 0.012), hue: 0.95, grain: .init(granularity: 4.5, size: 3.6),
                halation: .init(shares: SIMD3(0.010, 0.003, 0), spread: 60))),
        film(
            "press", "Colour negative pushed by a stop and a half: hard light, dense shadows, grain.",
            Film(
                negative: negative(gamma: 0.60), print: paper(gamma: 2.4), crosstalk: 0.11,
                couplers: SIMD3(0.16, 0.16, 0.14), cast: SIMD3(-0.006, 0.006, 0.012), hue: 0.6,
                grain: .init(granularity: 6, size: 5), halation: .init(shares: SIMD3(0.016, 0.005, 0), spread: 65)
            ).pushed(by: 1.5)),
        film(
            "velvet", "Slide with deep, strong colours; after the films of nature magazines.",
            Film(
                print: slide(gamma: 1.66, start: -0.22, toe: 0.18, end: 1.72, shoulder: 0.24), crosstalk: 0.02,
                couplers: SIMD3(0.14, 0.20, 0.18), cast: SIMD3(-0.008, 0.004, -0.010), blackPoint: 0.95, hue: 0.6,
                grain: .init(granularity: 9, size: 4), halation: .init(shares: SIMD3(0.006, 0.002, 0), spread: 55))),
        film(
            "clear", "Slide with true colours and open shadows; after the films of catalogues.",
            Film(
                print: slide(gamma: 1.50, start: -0.24, toe: 0.20, end: 1.85, shoulder: 0.28), crosstalk: 0.09,
                couplers: SIMD3(0.10, 0.11, 0.10), blackPoint: 0.95, hue: 0.85, grain: .init(granularity: 8, size: 4),
                halation: .init(shares: SIMD3(0.005, 0.002, 0), spread: 55))),
        film(
            "postcard", "Slide with warm light and rich reds; after the travel pictures of the fifties.",
            Film(
                print: slide(gamma: 1.55, start: -0.24, toe: 0.19, end: 1.76, shoulder: 0.26), crosstalk: 0.08,
                crosstalkWeights: skin, couplers: SIMD3(0.22, 0.10, 0.08), cast: SIMD3(-0.026, 0, 0.034),
                blackPoint: 0.9, stain: SIMD3(0, 0, 0.01), hue: 0.5, grain: .init(granularity: 10, size: 4.6),
                halation: .init(shares: SIMD3(0.008, 0.002, 0), spread: 55))),
        film(
            "nocturne", "Tungsten cinema film without its backing: cool shadows, red glow around lamps.",
            Film(
                negative: negative(gamma: 0.58, toe: 0.28, end: 2.3, shoulder: 0.5),
                print: [
                    paper(gamma: 2.72, range: 2.7, toe: 0.2)[0], paper(gamma: 2.65, range: 2.7, toe: 0.2)[0],
                    paper(gamma: 2.52, range: 2.6, toe: 0.2)[0],
                ], crosstalk: 0.10, couplers: SIMD3(0.16, 0.18, 0.18), cast: SIMD3(0.018, 0, -0.026), hue: 0.6,
                grain: .init(granularity: 7, size: 4), halation: .init(shares: SIMD3(0.10, 0.028, 0.002), spread: 75))
        ),
        film(
            "matinee", "Cinema negative and its print: gentle highlights, warm middle tones, solid blacks.",
            Film(
                negative: negative(gamma: 0.56, toe: 0.28, end: 2.3, shoulder: 0.4),
                print: [
                    paper(gamma: 2.83, range: 2.9, shoulder: 0.2)[0], paper(gamma: 2.8, range: 2.9, shoulder: 0.2)[0],
                    paper(gamma: 2.73, range: 2.85, shoulder: 0.2)[0],
                ], crosstalk: 0.11, couplers: SIMD3(0.18, 0.18, 0.14), cast: SIMD3(-0.014, 0, 0.016),
                blackPoint: 0.85, hue: 0.85, grain: .init(granularity: 5, size: 3.6),
                halation: .init(shares: SIMD3(0.02, 0.006, 0), spread: 65))),
        film(
            "attic", "Colour negative years past its date: fog, faint colours, violet shadows, yellow lights.",
            Film(
                negative: [
                    negative(gamma: 0.52, base: 0.35, start: -1.05, toe: 0.3, end: 2.0, shoulder: 0.4)[0],
                    negative(gamma: 0.55, base: 0.4, start: -1.15, toe: 0.3, end: 2.0, shoulder: 0.4)[0],
                    negative(gamma: 0.49, base: 0.45, start: -0.95, toe: 0.34, end: 1.9, shoulder: 0.45)[0],
                ], print: paper(gamma: 2.3, range: 2.1, toe: 0.2), crosstalk: 0.24,
                couplers: SIMD3(repeating: 0.06), cast: SIMD3(-0.02, 0, 0.035), blackPoint: 0.75,
                grain: .init(granularity: 10, size: 4.4), halation: .init(shares: SIMD3(0.02, 0.007, 0), spread: 65))),
        film(
            "instant", "Instant picture: creamy lights, pale colours, soft blacks.",
            Film(
                print: [
                    slide(gamma: 1.45, start: -0.26, toe: 0.22, end: 1.10, shoulder: 0.18)[0],
                    slide(gamma: 1.42, start: -0.26, toe: 0.22, end: 1.16, shoulder: 0.18)[0],
                    slide(gamma: 1.34, start: -0.27, toe: 0.24, end: 1.20, shoulder: 0.20)[0],
                ], crosstalk: 0.18, couplers: SIMD3(repeating: 0.06), cast: SIMD3(0, -0.010, 0.016),
                blackPoint: 0.3, stain: SIMD3(0, 0.006, 0.030), hue: 0.5, grain: .init(granularity: 8, size: 12),
                halation: .init(shares: SIMD3(0.012, 0.005, 0.002), spread: 90), format: .medium)),
        film(
            "bleach-bypass", "Print that kept its silver: hard, metallic, little colour.",
            Film(
                negative: negative(gamma: 0.60, toe: 0.25), print: paper(gamma: 2.0, range: 2.6), crosstalk: 0.16,
                couplers: SIMD3(repeating: 0.02), silver: 0.38, cast: SIMD3(0.006, 0, 0), blackPoint: 0.85, hue: 0.8,
                grain: .init(granularity: 8, size: 3.8), halation: .init(shares: SIMD3(0.016, 0.005, 0), spread: 65))),
        film(
            "cross-processed", "Slide film in the wrong bath: blue shadows, yellow lights, loud colours.",
            Film(
                negative: [
                    negative(gamma: 0.84, start: -0.95, toe: 0.2, end: 1.7, shoulder: 0.3)[0],
                    negative(gamma: 0.82, start: -1.0, toe: 0.22, end: 1.9, shoulder: 0.35)[0],
                    negative(gamma: 0.64, start: -1.25, toe: 0.3, end: 2.2, shoulder: 0.5)[0],
                ], print: paper(gamma: 2.0, toe: 0.16), crosstalk: 0.06, couplers: SIMD3(repeating: 0.12),
                cast: SIMD3(0, -0.035, 0.02), grain: .init(granularity: 10, size: 5.2),
                halation: .init(shares: SIMD3(0.010, 0.003, 0), spread: 60))),
        film(
            "faded", "Colour print that hung in the sun: the blue-green dye is going, the paper is yellow.",
            Film(
                negative: negative(gamma: 0.58, toe: 0.26), print: paper(gamma: 2.5, range: 2.1, toe: 0.2),
                crosstalk: 0.13, couplers: SIMD3(repeating: 0.10), fading: SIMD3(0.76, 0.86, 0.84),
                stain: SIMD3(0.012, 0.026, 0.07), grain: .init(granularity: 5, size: 3.6),
                halation: .init(shares: SIMD3(0.012, 0.004, 0), spread: 60))),
        film("silver-fine", "Fine-grained black and white: long scale, open shadows.", fineSilver),
        film("silver", "Classic black and white: rich middle tones, grain as of newspapers' films.", classicSilver()),
        film(
            "silver-yellow", "Classic black and white through yellow glass: skies a little darker.",
            classicSilver(SIMD3(0.43, 0.50, 0.07))),
        film(
            "silver-orange", "Classic black and white through orange glass: clouds stand out, skin is smooth.",
            classicSilver(SIMD3(0.66, 0.34, 0))),
        film(
            "silver-red", "Classic black and white through red glass: the darkest skies.",
            classicSilver(SIMD3(0.92, 0.08, 0))),
        film(
            "silver-green", "Classic black and white through green glass: leaves lighter, lips darker.",
            classicSilver(SIMD3(0.22, 0.70, 0.08))),
        film(
            "silver-pushed", "Black and white pushed by two stops: black shadows, white lights, coarse grain.",
            {
                var film = classicSilver(SIMD3(0.40, 0.46, 0.14))
                film.toning = .zero
                film.negative = negative(gamma: 0.60, shoulder: 0.4)
                film.print = paper(gamma: 2.6, range: 2.2, toe: 0.15)
                return film.pushed(by: 2)
            }()),
    ]

    // MARK: - Parameters

    private static let skin = SIMD3(0.42, 0.40, 0.18)

    private static var fineSilver: Film {
        Film(
            negative: negative(gamma: 0.58, toe: 0.25, end: 2.2), print: paper(gamma: 2.55, toe: 0.15),
            panchromatic: SIMD3(0.30, 0.56, 0.14), blackPoint: 0.92, grain: .init(granularity: 8, size: 2.6),
            halation: .init(shares: SIMD3(repeating: 0.012), spread: 55))
    }

    /// - Parameter weights: the film's sensitivity to red, green and blue.
    private static func classicSilver(_ weights: SIMD3<Double> = SIMD3(0.36, 0.50, 0.14)) -> Film {
        Film(
            negative: negative(gamma: 0.62, toe: 0.28, end: 2.2, shoulder: 0.38),
            print: paper(gamma: 2.7, range: 2.25, toe: 0.135), panchromatic: weights, blackPoint: 0.9,
            toning: SIMD3(-0.005, 0, 0.007),
            grain: .init(granularity: 15, size: 3.8), halation: .init(shares: SIMD3(repeating: 0.02), spread: 60))
    }

    /// Three equal layers of a negative.
    private static func negative(
        gamma: Double, base: Double = 0.2, start: Double = -1.15, toe: Double = 0.22, end: Double = 2.1,
        shoulder: Double = 0.35
    ) -> [CharacteristicCurve] {
        Array(
            repeating: CharacteristicCurve(
                base: base, gamma: gamma, start: start, toe: toe, end: end, shoulder: shoulder), count: 3)
    }

    /// Three equal layers of a paper.
    ///
    /// - Parameter range: maximum density above white.
    private static func paper(
        gamma: Double, range: Double = 2.3, toe: Double = 0.17, shoulder: Double = 0.16
    ) -> [CharacteristicCurve] {
        Array(
            repeating: CharacteristicCurve(
                base: 0.05, gamma: gamma, start: 0, toe: toe, end: range / gamma, shoulder: shoulder), count: 3)
    }

    /// Three equal layers of a slide.
    private static func slide(
        gamma: Double, start: Double, toe: Double, end: Double, shoulder: Double
    ) -> [CharacteristicCurve] {
        Array(
            repeating: CharacteristicCurve(
                base: 0.1, gamma: gamma, start: start, toe: toe, end: end, shoulder: shoulder), count: 3)
    }

    private static func film(_ name: String, _ summary: String, _ film: Film) -> Look {
        Look(name: name, version: 1, summary: summary, film: film)
    }
}
