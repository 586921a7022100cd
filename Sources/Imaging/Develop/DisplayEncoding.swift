import PictureFormat
import Pixels

/// The transfer functions of the output spaces, both ways; table material, not for pixels.
enum DisplayEncoding {
    /// Linear display light 0…1 to its encoding 0…1 (IEC 61966-2-1 for sRGB and Display P3; Adobe RGB (1998), 2005).
    static func encode(_ light: SIMD8<Double>, _ space: ColourSpace) -> SIMD8<Double> {
        switch space {
        case .sRGB, .displayP3:
            (1.055 * DeterministicMath.pow(light, 1 / 2.4) - 0.055)
                .replacing(with: 12.92 * light, where: light .<= 0.0031308)
        case .adobeRGB: DeterministicMath.pow(light, 256.0 / 563.0)
        }
    }

    static func decode(_ code: SIMD8<Double>, _ space: ColourSpace) -> SIMD8<Double> {
        switch space {
        case .sRGB, .displayP3:
            DeterministicMath.pow((code + 0.055) / 1.055, 2.4).replacing(with: code / 12.92, where: code .<= 0.04045)
        case .adobeRGB: DeterministicMath.pow(code, 563.0 / 256.0)
        }
    }

    static func decode(_ code: Double, _ space: ColourSpace) -> Double {
        decode(SIMD8(repeating: code), space)[0]
    }
}
