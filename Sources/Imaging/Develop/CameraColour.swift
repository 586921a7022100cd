import ColourScience
import Pixels

/// How a camera's balanced colours become light: the white balance and the matrix behind it.
struct CameraColour {
    /// Red, green, blue factors of the white balance; the smallest is 1, so a saturated sample is never below 1.
    let multipliers: [Float]
    /// White-balanced camera colour to XYZ adapted to D65; camera (1, 1, 1) is D65 white.
    let toXYZ: Matrix3x3
    /// False where the file names no usable matrix and a typical camera's stands in.
    let isKnown: Bool

    init(facts: SensorFacts, whiteBalance: WhiteBalance) {
        if facts.layout == .monochrome {
            multipliers = [1, 1, 1]
            isKnown = true
            toXYZ = RGBPrimaries.rec709.toXYZ
            return
        }
        let known = CameraProfile(facts.matrices)
        let profile = known ?? CameraProfile.typical
        let neutral = Self.neutral(facts: facts, whiteBalance: whiteBalance, profile: profile)
        let smallest = neutral.map { 1 / $0 }.min() ?? 1
        multipliers = neutral.map { Float(1 / $0 / smallest) }
        isKnown = known != nil
        // A guessed matrix says nothing about the light.
        toXYZ = known?.balancedToXYZ(neutral: neutral) ?? profile?.fixedToXYZ() ?? RGBPrimaries.rec709.toXYZ
    }

    /// What the camera records for white, green 1.
    private static func neutral(
        facts: SensorFacts, whiteBalance: WhiteBalance, profile: CameraProfile?
    ) -> [Double] {
        switch whiteBalance {
        case .asShot:
            if let m = facts.whiteBalance { return m.map { Double(m[1]) / Double($0) } }
            return profile?.neutral(under: .d65) ?? [1, 1, 1]
        case .temperature(let kelvin, let tint):
            let white = ColourTemperature.white(kelvin: Double(kelvin), tint: Double(tint))
            return profile?.neutral(under: white) ?? [1, 1, 1]
        }
    }
}

/// The camera's matrices, interpolated between two lights where there are two
/// (Adobe, 2021, "Digital Negative Specification" 1.6, chapter 6, "Mapping camera color space to CIE XYZ space").
struct CameraProfile {
    private let warm: (temperature: Double, matrix: Matrix3x3)
    private let cold: (temperature: Double, matrix: Matrix3x3)

    /// Nil where no matrix can be inverted.
    init?(_ matrices: [CameraMatrix]) {
        let usable = matrices.map {
            (ColourTemperature.kelvin(exifLightSource: $0.illuminant), Matrix3x3($0.xyzToCamera.elements))
        }
        .filter { $0.1.inverse != nil }
        .sorted { $0.0 < $1.0 }
        guard let first = usable.first, let last = usable.last else { return nil }
        warm = first
        cold = last
    }

    /// A camera as most are: for one whose matrix is not known this is closer than none, because every camera's colours
    /// overlap more than sRGB's.
    static let typical = CameraProfile([
        CameraMatrix(
            illuminant: 21,
            xyzToCamera: Matrix3([0.80, -0.22, -0.08, -0.48, 1.28, 0.22, -0.11, 0.22, 0.70]))
    ])

    /// XYZ to camera colour under a light of this temperature: linear in the reciprocal temperature.
    func matrix(_ temperature: Double) -> Matrix3x3 {
        guard cold.temperature > warm.temperature else { return cold.matrix }
        let t = min(max(temperature, warm.temperature), cold.temperature)
        let weight = (1 / t - 1 / cold.temperature) / (1 / warm.temperature - 1 / cold.temperature)
        return Matrix3x3(zip(warm.matrix.elements, cold.matrix.elements).map { weight * $0 + (1 - weight) * $1 })
    }

    /// What the camera records for a white of this chromaticity, green 1; nil where that is no light.
    func neutral(under white: Chromaticity) -> [Double]? {
        let camera = matrix(ColourTemperature.kelvin(of: white)) * white.xyz
        guard camera.allSatisfy({ $0.isFinite && $0 > 1e-4 }) else { return nil }
        return camera.map { $0 / camera[1] }
    }

    /// White-balanced camera colour to XYZ adapted from the light of the scene to D65.
    ///
    /// With two matrices, by the light between them. A single one is right for the light it was measured under: near
    /// that, the camera's own balance is the adaptation; the further away, the more the light is estimated and
    /// adapted from.
    func balancedToXYZ(neutral: [Double]) -> Matrix3x3? {
        let fixed = fixedToXYZ()
        guard let white = white(ofNeutral: neutral), let inverse = matrix(ColourTemperature.kelvin(of: white)).inverse,
            let adapted = normalised(ChromaticAdaptation.bradford(from: white, to: .d65) * inverse * .diagonal(neutral))
        else { return fixed }
        guard cold.temperature == warm.temperature, let fixed else { return adapted }
        let distance = (1e6 / ColourTemperature.kelvin(of: white) - 1e6 / cold.temperature).magnitude
        let share = min(max((distance - 40) / 80, 0), 1)
        return Matrix3x3(zip(fixed.elements, adapted.elements).map { (1 - share) * $0 + share * $1 })
    }

    /// The light the camera's balance speaks of. The matrix depends on the light and the light on the matrix: this
    /// settles in a few rounds.
    private func white(ofNeutral neutral: [Double]) -> Chromaticity? {
        var white = Chromaticity.d65
        for _ in 0..<20 {
            guard let inverse = matrix(ColourTemperature.kelvin(of: white)).inverse,
                let next = Chromaticity(xyz: inverse * neutral)
            else { return nil }
            let change = (next.x - white.x).magnitude + (next.y - white.y).magnitude
            white = next
            if change < 1e-9 { break }
        }
        return white
    }

    /// The balance as the whole adaptation, from the colder light's matrix.
    func fixedToXYZ() -> Matrix3x3? {
        let white = ColourTemperature.white(kelvin: cold.temperature, tint: 0)
        guard let inverse = cold.matrix.inverse else { return nil }
        return normalised(
            ChromaticAdaptation.bradford(from: white, to: .d65) * inverse * .diagonal(cold.matrix * white.xyz))
    }

    /// Scaled so that camera (1, 1, 1) has Y = 1.
    private func normalised(_ matrix: Matrix3x3) -> Matrix3x3? {
        let luminance = (matrix * [1, 1, 1])[1]
        guard luminance.isFinite, luminance > 1e-6 else { return nil }
        return Matrix3x3(matrix.elements.map { $0 / luminance })
    }
}
