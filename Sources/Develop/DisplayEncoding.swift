import Pixels

/// The transfer functions of the output spaces, both ways; table material, not for pixels.
enum DisplayEncoding {
    /// Linear display light 0…1 to its encoding 0…1 (IEC 61966-2-1 for sRGB and Display P3; Adobe RGB (1998), 2005).
    static func encode(_ light: Double, _ space: ColourSpace) -> Double {
        switch space {
        case .sRGB, .displayP3:
            light <= 0.0031308 ? 12.92 * light : 1.055 * DeterministicMath.pow(light, 1 / 2.4) - 0.055
        case .adobeRGB: DeterministicMath.pow(light, 256.0 / 563.0)
        }
    }

    static func decode(_ code: Double, _ space: ColourSpace) -> Double {
        switch space {
        case .sRGB, .displayP3:
            code <= 0.04045 ? code / 12.92 : DeterministicMath.pow((code + 0.055) / 1.055, 2.4)
        case .adobeRGB: DeterministicMath.pow(code, 563.0 / 256.0)
        }
    }
}
