import Pixels

/// How a camera's balanced colours become light: the white balance and the matrix behind it.
struct CameraColour {
    /// Red, green, blue factors of the white balance; the smallest is 1, so a saturated sample is never below 1.
    let multipliers: [Float]
    /// White-balanced camera colour to XYZ adapted to D65; camera (1, 1, 1) is D65 white.
    let toXYZ: Matrix3D
    /// False where the file names no usable matrix and the camera's own colours stand in for sRGB's.
    let isKnown: Bool

    init(facts: SensorFacts, whiteBalance: WhiteBalance) {
        if facts.layout == .monochrome {
            multipliers = [1, 1, 1]
            isKnown = true
            toXYZ = Primaries.rec709.toXYZ
            return
        }
        let profile = CameraProfile(facts.matrices)
        let neutral = Self.neutral(facts: facts, whiteBalance: whiteBalance, profile: profile)
        let smallest = neutral.map { 1 / $0 }.min() ?? 1
        multipliers = neutral.map { Float(1 / $0 / smallest) }
        isKnown = profile != nil
        toXYZ = profile?.balancedToXYZ(neutral: neutral) ?? Primaries.rec709.toXYZ
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
            let white = LightSource.white(kelvin: Double(kelvin), tint: Double(tint))
            return profile?.neutral(under: white) ?? [1, 1, 1]
        }
    }
}

/// The camera's matrices, interpolated between two lights where there are two
/// (Adobe, 2021, "Digital Negative Specification" 1.6, chapter 6, "Mapping camera color space to CIE XYZ space").
struct CameraProfile {
    private let warm: (temperature: Double, matrix: Matrix3D)
    private let cold: (temperature: Double, matrix: Matrix3D)

    /// Nil where no matrix can be inverted.
    init?(_ matrices: [CameraMatrix]) {
        let usable = matrices.map {
            (LightSource.temperature(exifLightSource: $0.illuminant), Matrix3D($0.xyzToCamera))
        }
        .filter { $0.1.inverse != nil }
        .sorted { $0.0 < $1.0 }
        guard let first = usable.first, let last = usable.last else { return nil }
        warm = first
        cold = last
    }

    /// XYZ to camera colour under a light of this temperature: linear in the reciprocal temperature.
    func matrix(_ temperature: Double) -> Matrix3D {
        guard cold.temperature > warm.temperature else { return cold.matrix }
        let t = min(max(temperature, warm.temperature), cold.temperature)
        let weight = (1 / t - 1 / cold.temperature) / (1 / warm.temperature - 1 / cold.temperature)
        return Matrix3D(zip(warm.matrix.m, cold.matrix.m).map { weight * $0 + (1 - weight) * $1 })
    }

    /// What the camera records for a white of this chromaticity, green 1; nil where that is no light.
    func neutral(under white: Chromaticity) -> [Double]? {
        let camera = matrix(LightSource.temperature(of: white)) * white.xyz
        guard camera.allSatisfy({ $0.isFinite && $0 > 1e-4 }) else { return nil }
        return camera.map { $0 / camera[1] }
    }

    /// White-balanced camera colour to XYZ adapted from the light of the scene to D65.
    func balancedToXYZ(neutral: [Double]) -> Matrix3D? {
        var white = Chromaticity.d65
        // The matrix depends on the light and the light on the matrix; this settles in a few rounds.
        for _ in 0..<20 {
            guard let inverse = matrix(LightSource.temperature(of: white)).inverse,
                let next = Chromaticity(xyz: inverse * neutral)
            else { return fixedToXYZ(neutral: neutral) }
            if (next.x - white.x).magnitude + (next.y - white.y).magnitude < 1e-9 { break }
            white = next
        }
        guard let inverse = matrix(LightSource.temperature(of: white)).inverse else { return nil }
        let toXYZ = bradford(from: white, to: .d65) * inverse * .diagonal(neutral)
        return normalised(toXYZ)
    }

    /// For a neutral that no light explains: the balance stands for the adaptation.
    private func fixedToXYZ(neutral: [Double]) -> Matrix3D? {
        guard let inverse = cold.matrix.inverse else { return nil }
        return normalised(inverse * .diagonal(cold.matrix * Chromaticity.d65.xyz))
    }

    /// Scaled so that camera (1, 1, 1) has Y = 1.
    private func normalised(_ matrix: Matrix3D) -> Matrix3D? {
        let luminance = (matrix * [1, 1, 1])[1]
        guard luminance.isFinite, luminance > 1e-6 else { return nil }
        return Matrix3D(matrix.m.map { $0 / luminance })
    }
}
