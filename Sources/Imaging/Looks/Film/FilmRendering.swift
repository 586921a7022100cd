import ColourScience
import Pixels

/// A film as a rendering: from the scene's light to the light of the finished print or slide, in Rec. 2020.
///
/// Every film prints mid grey to the light of the neutral rendering.
struct FilmRendering: FilmStage {
    typealias Vector = DeterministicMath.Vector

    let film: Film
    let texture: FilmTexture?
    let share: Float = 1
    var key: String { film.definition }

    /// Exposure of the print for zero density of the negative, by layer.
    private let printing: SIMD3<Double>
    private let hues: HueKeeping?

    /// Density of mid grey on the print: 18 % of the light of its white.
    private static let greyDensity = 0.745
    private static let grey = 0.18
    private static let log2ToLog10 = 0.301029995663981195
    private static let log10ToLog2 = 3.321928094887362348

    init(_ film: Film) {
        self.film = film
        let grey = Self.densities(of: film, Array(repeating: Vector(repeating: Self.grey), count: 3))
        let exposures = CharacteristicCurve.exposures(
            (0..<3).map { (film.print[$0], film.print[$0].base + Self.greyDensity + film.cast[$0]) })
        var printing = SIMD3<Double>.zero
        for layer in 0..<3 { printing[layer] = grey[layer][0] + exposures[layer] }
        self.printing = printing
        texture = FilmTexture(film, printing: printing)
        hues = film.hue == 0 ? nil : HueKeeping(film)
    }

    func render(_ row: PixelRow) { row.eights { light($0) } }

    /// The light of the print, 0…1, for eight colours of the scene.
    func light(_ scene: [Vector]) -> [Vector] {
        let densities = Self.densities(of: film, scene)
        let light = light(of: densities)
        guard let hues else { return light }
        return zip(light, hues.factors(scene, densities: densities)).map { $0 * $1 }
    }

    /// The light of a negative's print, or of a slide's layers.
    func light(of densities: [Vector]) -> [Vector] {
        (0..<3).map { layer in printed(printing[layer] - densities[layer], layer) }
    }

    /// The light of a layer of the print.
    private func printed(_ exposure: Vector, _ layer: Int) -> Vector {
        let curve = film.print[layer]
        let black = film.blackPoint * DeterministicMath.exp2(-curve.range * Self.log10ToLog2)
        func light(_ density: Vector) -> Vector { DeterministicMath.exp2(-density * Self.log10ToLog2) }
        let plain = (light(curve.density(exposure) - curve.base) - black) / (1 - black)
        if film.fading[layer] == 1, film.stain[layer] == 0, film.toning[layer] == 0 { return plain }
        let density = -Self.log10(pointwiseMax(plain, Vector(repeating: 1e-5)))
        let depth = pointwiseMin(density, Vector(repeating: 2)) / 2
        return light(
            density * film.fading[layer] + film.stain[layer] + 4 * film.toning[layer] * depth * (1 - depth))
    }

    // MARK: - Densities

    /// Densities of the three layers above base, for eight colours.
    private static func densities(of film: Film, _ scene: [Vector]) -> [Vector] {
        var densities: [Vector]
        if let weights = film.panchromatic {
            let seen = weights.x * scene[0] + weights.y * scene[1] + weights.z * scene[2]
            densities = Array(repeating: exposure(seen), count: 3)
        } else {
            let weights = film.crosstalkWeights
            let all = film.crosstalk * (weights.x * scene[0] + weights.y * scene[1] + weights.z * scene[2])
            densities = scene.map { exposure((1 - film.crosstalk) * $0 + all) }
        }
        if let layers = film.negative {
            densities = (0..<3).map { layers[$0].density(densities[$0]) }
        }
        if film.couplers != .zero {
            let sum = densities[0] + densities[1] + densities[2]
            densities = (0..<3).map { densities[$0] + film.couplers[$0] * (1.5 * densities[$0] - 0.5 * sum) }
        }
        if film.silver != 0 {
            let silver = film.silver * (0.3 * densities[0] + 0.55 * densities[1] + 0.15 * densities[2])
            densities = densities.map { $0 + silver }
        }
        return densities
    }

    /// Exposure relative to mid grey, as a decimal logarithm; at least -5.3.
    private static func exposure(_ light: Vector) -> Vector {
        log10(pointwiseMax(light, Vector(repeating: 1e-6)) / grey)
    }

    private static func log10(_ x: Vector) -> Vector { DeterministicMath.log2(x) * log2ToLog10 }

    // MARK: - Curves for display

    /// Density of each layer for a neutral exposure: the negative's layers, or else the slide's.
    ///
    /// - Parameter exposure: relative to mid grey, as a decimal logarithm.
    func characteristic(_ exposure: Double) -> SIMD3<Double> {
        var densities = SIMD3<Double>.zero
        for layer in 0..<3 {
            densities[layer] =
                film.negative?[layer].density(exposure) ?? film.print[layer].density(printing[layer] - exposure)
        }
        return densities
    }
}

extension FilmTexture {
    /// Converts a film's grain and halation to light.
    ///
    /// - Parameter printing: exposure of a slide's layers in the dark.
    fileprivate init?(_ film: Film, printing: SIMD3<Double>) {
        guard film.grain != nil || film.halation != nil else { return nil }
        let grain = film.grain.map { grain in
            FilmGrain(
                granularity: grain.granularity, sizeMicrometres: grain.size,
                responses: (0..<3).map { FilmGrain.Response(film, layer: $0, printing: printing[$0]) },
                isMonochrome: film.panchromatic != nil)
        }
        let halation = film.halation.map {
            Halation(shares: $0.shares, spreadMicrometres: $0.spread, lampGain: 6)
        }
        self.init(longEdgeMicrometres: film.format.longEdgeMicrometres, grain: grain, halation: halation)
    }
}

extension FilmGrain.Response {
    /// Maximum gain from density to light. On a level curve, any density would mean unbounded light.
    private static let maxGain = 12.0

    /// Fits the response at three amounts of light: 4 stops below mid grey, mid grey, and 3 stops above.
    fileprivate init(_ film: Film, layer: Int, printing: Double) {
        func gain(_ stops: Double) -> Double {
            let exposure = 0.301029995663981195 * stops
            let density: Double
            let slope: Double
            if let curve = film.negative?[layer] {
                (density, slope) = (curve.density(exposure) - curve.base, curve.slope(exposure))
            } else {
                let curve = film.print[layer]
                (density, slope) = (
                    curve.density(printing - exposure) - curve.base, curve.slope(printing - exposure)
                )
            }
            // Variance is proportional to the number of grains, and thus to density, including some fog.
            let deviation = ((density + 0.1) / 1.1).squareRoot()
            return min(deviation * 2.302585092994045684 / max(slope, 1e-9), Self.maxGain)
        }
        let (dark, grey, bright) = (gain(-4), gain(0), gain(3))
        self.init(dark: dark, grey: grey, bright: bright)
    }

    /// The function through three values, at light 0.01125, 0.18 and 1.44. If no such function stays between its ends,
    /// the one through the first two, or a constant.
    init(dark: Double, grey: Double, bright: Double) {
        let (p, q, r) = (0.01125, 0.18, 1.44)
        // start + e · x = y (1 + k · x) with e = end / middle and k = 1 / middle. Differences of neighbouring points
        // eliminate start, and give two equations for e and k.
        let (a, b) = ((grey - dark) / (q - p), (bright - grey) / (r - q))
        let (u, v) = (grey * q - dark * p, bright * r - grey * q)
        let denominator = v / (r - q) - u / (q - p)
        let k = denominator == 0 ? 0 : (a - b) / denominator
        let e = a + u / (q - p) * k
        let start = dark * (1 + p * k) - e * p
        if k > 1e-3, k < 1e3, start >= 0, e >= 0, start <= 12, e / k <= 12 {
            self.init(start: start, end: e / k, middle: 1 / k)
        } else {
            self.init(start: max(dark, grey), end: min(dark, grey, bright), middle: q)
        }
    }
}
