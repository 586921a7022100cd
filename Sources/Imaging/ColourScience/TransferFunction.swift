public import PictureFormat

/// The transfer functions of the output spaces in both directions, for making tables.
///
/// Sources: IEC 61966-2-1:1999 for sRGB, which Display P3 shares; Adobe RGB (1998) Color Image Encoding, May 2005.
public enum TransferFunction {
    /// Encodes linear display light, 0…1, as 0…1.
    public static func encode(_ light: SIMD8<Double>, _ space: ColourSpace) -> SIMD8<Double> {
        switch space {
        case .sRGB, .displayP3:
            (1.055 * DeterministicMath.pow(light, 1 / 2.4) - 0.055)
                .replacing(with: 12.92 * light, where: light .<= 0.0031308)
        case .adobeRGB: DeterministicMath.pow(light, 256.0 / 563.0)
        }
    }

    /// Encodes one value.
    public static func encode(_ light: Double, _ space: ColourSpace) -> Double {
        encode(SIMD8(repeating: light), space)[0]
    }

    /// Decodes display-encoded values, 0…1, to linear display light, 0…1.
    public static func decode(_ code: SIMD8<Double>, _ space: ColourSpace) -> SIMD8<Double> {
        switch space {
        case .sRGB, .displayP3:
            DeterministicMath.pow((code + 0.055) / 1.055, 2.4).replacing(with: code / 12.92, where: code .<= 0.04045)
        case .adobeRGB: DeterministicMath.pow(code, 563.0 / 256.0)
        }
    }

    /// Decodes one value.
    public static func decode(_ code: Double, _ space: ColourSpace) -> Double {
        decode(SIMD8(repeating: code), space)[0]
    }
}
