import ColourScience
import Pixels

/// A camera's colour matrices, one or two, interpolated between the lights they were measured under (Adobe, 2021,
/// "Digital Negative Specification" 1.6, chapter 6, "Mapping camera color space to CIE XYZ space").
struct CameraProfile {
    private let warm: (temperature: Double, matrix: Matrix3x3)
    private let cold: (temperature: Double, matrix: Matrix3x3)

    /// Nil if no matrix can be inverted.
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

    /// A typical camera, for those whose matrix is not known. It is closer than no matrix, because the filters of every
    /// camera overlap more than the primaries of sRGB.
    static let typical = CameraProfile([
        CameraMatrix(
            illuminant: 21,
            xyzToCamera: Matrix3([0.80, -0.22, -0.08, -0.48, 1.28, 0.22, -0.11, 0.22, 0.70]))
    ])

    /// From XYZ to camera colour under a light of some temperature in kelvin: linear in the reciprocal temperature.
    func matrix(_ temperature: Double) -> Matrix3x3 {
        guard cold.temperature > warm.temperature else { return cold.matrix }
        let t = min(max(temperature, warm.temperature), cold.temperature)
        let weight = (1 / t - 1 / cold.temperature) / (1 / warm.temperature - 1 / cold.temperature)
        return Matrix3x3(zip(warm.matrix.elements, cold.matrix.elements).map { weight * $0 + (1 - weight) * $1 })
    }

    /// The camera's response to a white, where green is 1; nil if a channel would not respond.
    func neutral(under white: Chromaticity) -> [Double]? {
        let camera = matrix(ColourTemperature.kelvin(of: white)) * white.xyz
        guard camera.allSatisfy({ $0.isFinite && $0 > 1e-4 }) else { return nil }
        return camera.map { $0 / camera[1] }
    }

    /// From white-balanced camera colour to XYZ, adapted from the light of the scene to D65.
    ///
    /// Two matrices are interpolated by the light of the scene. A single matrix is right for the light it was measured
    /// under. Near that light the camera's balance is all of the adaptation. With distance, more and more of the light
    /// is estimated from the balance, and adapted from.
    ///
    /// - Parameter neutral: the camera's response to white, where green is 1.
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

    /// The light that the camera's balance stands for. The matrix depends on the light and the light on the matrix; the
    /// iteration converges in a few rounds.
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

    /// The matrix of the colder light, with the camera's balance for all of the adaptation.
    func fixedToXYZ() -> Matrix3x3? {
        let white = ColourTemperature.white(kelvin: cold.temperature, tint: 0)
        guard let inverse = cold.matrix.inverse else { return nil }
        return normalised(
            ChromaticAdaptation.bradford(from: white, to: .d65) * inverse * .diagonal(cold.matrix * white.xyz))
    }

    /// The matrix scaled so that camera (1, 1, 1) has Y = 1.
    private func normalised(_ matrix: Matrix3x3) -> Matrix3x3? {
        let luminance = (matrix * [1, 1, 1])[1]
        guard luminance.isFinite, luminance > 1e-6 else { return nil }
        return Matrix3x3(matrix.elements.map { $0 / luminance })
    }
}
