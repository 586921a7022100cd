import ColourScience
import Pixels

/// A camera's one to three colour matrices, interpolated between the lights they were measured under (Adobe, 2021,
/// "Digital Negative Specification" 1.6, chapter 6, "Mapping camera color space to CIE XYZ space").
struct CameraProfile {
    /// By temperature, warmest first.
    private let lights: [Light]
    private let warm: Light
    private let cold: Light

    private struct Light {
        let temperature: Double
        /// Distance from the locus of black bodies and daylight.
        let tint: Double
        let matrix: Matrix3x3
        let forward: Matrix3x3?
        let calibration: Matrix3x3
        let hueSatMap: HueSatMap?

        init(_ matrix: CameraMatrix) {
            if let white = matrix.white.map({ Chromaticity(x: $0.x, y: $0.y) }) {
                temperature = ColourTemperature.kelvin(of: white)
                tint = ColourTemperature.tint(of: white)
            } else {
                temperature = ColourTemperature.kelvin(exifLightSource: matrix.illuminant)
                tint = 0
            }
            self.matrix = Matrix3x3(matrix.xyzToCamera.elements)
            forward = matrix.forward.flatMap { Self.normalised(Matrix3x3($0.elements)) }
            calibration = Matrix3x3(matrix.calibration.elements)
            hueSatMap = matrix.hueSatMap
        }

        /// Scales the matrix so that (1, 1, 1) is exactly the white of D50.
        private static func normalised(_ matrix: Matrix3x3) -> Matrix3x3? {
            let white = matrix * [1, 1, 1]
            guard white.allSatisfy({ $0.isFinite && $0 > 1e-6 }) else { return nil }
            return .diagonal(zip(ProPhotoRGB.white.xyz, white).map { $0 / $1 }) * matrix
        }
    }

    init?(_ matrices: [CameraMatrix]) {
        let usable = matrices.map { Light($0) }
            .filter { $0.matrix.inverse != nil }
            .sorted { $0.temperature < $1.temperature }
        guard let first = usable.first, let last = usable.last else { return nil }
        lights = usable
        warm = first
        cold = last
    }

    /// A typical camera, for cameras without a known matrix. More accurate than no matrix, because all cameras' filters
    /// overlap more than the primaries of sRGB.
    static let typical = CameraProfile([
        CameraMatrix(
            illuminant: 21,
            xyzToCamera: Matrix3([0.80, -0.22, -0.08, -0.48, 1.28, 0.22, -0.11, 0.22, 0.70]))
    ])

    // MARK: - Between the lights

    struct Place {
        /// In kelvin.
        let temperature: Double
        let tint: Double

        init(temperature: Double, tint: Double = 0) {
            self.temperature = temperature
            self.tint = tint
        }

        init(_ white: Chromaticity) {
            self.init(
                temperature: ColourTemperature.kelvin(of: white), tint: ColourTemperature.tint(of: white))
        }
    }

    /// From XYZ to camera colour under a light.
    func matrix(_ place: Place) -> Matrix3x3 { mixed(place, lights.map(\.matrix)) }

    /// Weight of each light. Between two lights it is linear in the reciprocal temperature. Three lights follow Adobe's
    /// DNG SDK 1.6: the reciprocal square of the distance in reciprocal temperature and tint, smoothed, without weights
    /// below a fiftieth.
    private func weights(_ place: Place) -> [Double] {
        guard cold.temperature > warm.temperature else { return lights.indices.map { $0 == lights.count - 1 ? 1 : 0 } }
        guard lights.count == 3 else {
            let t = min(max(place.temperature, warm.temperature), cold.temperature)
            let weight = (1 / t - 1 / cold.temperature) / (1 / warm.temperature - 1 / cold.temperature)
            return lights.indices.map { $0 == 0 ? weight : $0 == lights.count - 1 ? 1 - weight : 0 }
        }
        func coordinates(_ temperature: Double, _ tint: Double) -> SIMD2<Double> {
            SIMD2(min(1500 / temperature, 1), tint / 200)
        }
        func shares(_ numbers: [Double]) -> [Double] {
            let sum = numbers.reduce(0, +)
            return numbers.map { $0 / sum }
        }
        let here = coordinates(place.temperature, place.tint)
        let near = shares(
            lights.map { light in
                let way = coordinates(light.temperature, light.tint) - here
                return 1 / ((way * way).sum() + 1e-8)
            })
        return shares(
            near.map { share in
                let smooth = share * share * (3 - 2 * share)
                return min(max((smooth - 0.02) / 0.98, 0), 1)
            })
    }

    private func mixed(_ place: Place, _ matrices: [Matrix3x3]) -> Matrix3x3 {
        let weights = weights(place)
        return Matrix3x3(
            matrices[0].elements.indices.map { index in
                zip(weights, matrices).reduce(0) { $0 + $1.0 * $1.1.elements[index] }
            })
    }

    /// The camera's response to a white, with green 1; nil if a channel does not respond.
    func neutral(under white: Chromaticity) -> [Double]? {
        let camera = matrix(Place(white)) * white.xyz
        guard camera.allSatisfy({ $0.isFinite && $0 > 1e-4 }) else { return nil }
        return camera.map { $0 / camera[1] }
    }

    /// From white-balanced camera colour to XYZ, adapted from the scene's illuminant to D65. Uses ForwardMatrix if the
    /// profile has it. `neutral` is the camera's response to white, with green 1.
    ///
    /// Two matrices are interpolated for the scene's illuminant. A single matrix is right for the light it was measured
    /// under: near that light, the camera's balance is the whole adaptation. With distance, the illuminant is
    /// increasingly estimated from the balance and adapted from.
    func balancedToXYZ(neutral: [Double]) -> Matrix3x3? {
        if let forward = forwardToXYZ(neutral: neutral) { return forward }
        let fixed = fixedToXYZ()
        guard let white = white(ofNeutral: neutral), let inverse = matrix(Place(white)).inverse,
            let adapted = normalised(ChromaticAdaptation.bradford(from: white, to: .d65) * inverse * .diagonal(neutral))
        else { return fixed }
        guard cold.temperature == warm.temperature, let fixed else { return adapted }
        let distance = (1e6 / ColourTemperature.kelvin(of: white) - 1e6 / cold.temperature).magnitude
        let share = min(max((distance - 40) / 80, 0), 1)
        return Matrix3x3(zip(fixed.elements, adapted.elements).map { (1 - share) * $0 + share * $1 })
    }

    /// Nil if the profile has no ForwardMatrix.
    private func forwardToXYZ(neutral: [Double]) -> Matrix3x3? {
        let forwards = lights.compactMap(\.forward)
        guard forwards.count == lights.count, let white = white(ofNeutral: neutral) else { return nil }
        let place = Place(white)
        guard let reference = mixed(place, lights.map(\.calibration)).inverse else { return nil }
        let response = reference * neutral
        guard response.allSatisfy({ $0.isFinite && $0 > 1e-6 }) else { return nil }
        return normalised(
            ChromaticAdaptation.bradford(from: ProPhotoRGB.white, to: .d65)
                * mixed(place, forwards) * .diagonal(response.map { 1 / $0 }) * reference
                * .diagonal(neutral))
    }

    /// The profile's ProfileHueSatMap for the illuminant of a balance; nil for none. `neutral` is the camera's response
    /// to white, with green 1.
    func hueSatMap(neutral: [Double]) -> HueSatMap? {
        let maps = lights.compactMap(\.hueSatMap)
        guard maps.count == lights.count, let last = maps.last else { return nil }
        guard maps.contains(where: { $0 != last }), let white = white(ofNeutral: neutral) else { return last }
        var (mixed, sum) = (maps[0], 0.0)
        for (map, weight) in zip(maps, weights(Place(white))) where weight > 0 {
            sum += weight
            mixed = mixed.mixed(Float((sum - weight) / sum), with: map)
        }
        return mixed
    }

    /// The illuminant of the camera's balance. Matrix and illuminant depend on each other; the iteration converges in a
    /// few rounds.
    private func white(ofNeutral neutral: [Double]) -> Chromaticity? {
        var white = Chromaticity.d65
        for _ in 0..<20 {
            guard let inverse = matrix(Place(white)).inverse,
                let next = Chromaticity(xyz: inverse * neutral)
            else { return nil }
            let change = (next.x - white.x).magnitude + (next.y - white.y).magnitude
            white = next
            if change < 1e-9 { break }
        }
        return white
    }

    /// The matrix of the coldest light, with the camera's balance as the whole adaptation.
    func fixedToXYZ() -> Matrix3x3? {
        let white = ColourTemperature.white(kelvin: cold.temperature, tint: 0)
        guard let inverse = cold.matrix.inverse else { return nil }
        return normalised(
            ChromaticAdaptation.bradford(from: white, to: .d65) * inverse * .diagonal(cold.matrix * white.xyz))
    }

    /// Scales the matrix so that camera (1, 1, 1) has Y = 1.
    private func normalised(_ matrix: Matrix3x3) -> Matrix3x3? {
        let luminance = (matrix * [1, 1, 1])[1]
        guard luminance.isFinite, luminance > 1e-6 else { return nil }
        return Matrix3x3(matrix.elements.map { $0 / luminance })
    }
}
