import ColourScience
import Pixels

/// Converts a camera's colours to light: the white balance, then a matrix.
struct CameraColour {
    /// Red, green and blue factors of the white balance. The smallest is 1, so a saturated sample is never below 1.
    let multipliers: [Float]
    /// From white-balanced camera colour to XYZ adapted to D65. Camera (1, 1, 1) is D65 white.
    let toXYZ: Matrix3x3
    /// Table applied after the matrix, in ProPhoto RGB, where light 1 is a balanced sample of 1; nil for none.
    let hueSatMap: HueSatMap?
    /// False if the file has no usable matrix; a typical camera's is then used.
    let isKnown: Bool

    init(facts: SensorFacts, whiteBalance: WhiteBalance) {
        if facts.layout == .monochrome {
            multipliers = [1, 1, 1]
            isKnown = true
            toXYZ = RGBPrimaries.rec709.toXYZ
            hueSatMap = nil
            return
        }
        let known = CameraProfile(facts.matrices)
        let profile = known ?? CameraProfile.typical
        let neutral = Self.neutral(facts: facts, whiteBalance: whiteBalance, profile: profile)
        let smallest = neutral.map { 1 / $0 }.min() ?? 1
        multipliers = neutral.map { Float(1 / $0 / smallest) }
        isKnown = known != nil
        hueSatMap = known?.hueSatMap(neutral: neutral)
        // A guessed matrix does not reveal the scene's illuminant.
        toXYZ = known?.balancedToXYZ(neutral: neutral) ?? profile?.fixedToXYZ() ?? RGBPrimaries.rec709.toXYZ
    }

    /// The camera's response to white, with green 1.
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
