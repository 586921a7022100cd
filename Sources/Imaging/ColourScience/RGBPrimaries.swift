public import PictureFormat

/// Primaries of the RGB spaces in the pipeline. All have D65 as their white.
///
/// Sources: ITU-R BT.709-6 (and sRGB, IEC 61966-2-1), SMPTE EG 432-1 (P3), Adobe RGB (1998) Color Image Encoding, ITU-R
/// BT.2020-2.
public enum RGBPrimaries: Sendable {
    case rec709, displayP3, adobeRGB, rec2020

    /// The primaries of an output space.
    public init(_ space: ColourSpace) {
        self =
            switch space {
            case .sRGB: .rec709
            case .displayP3: .displayP3
            case .adobeRGB: .adobeRGB
            }
    }

    /// The chromaticities of red, green and blue.
    public var chromaticities: (red: Chromaticity, green: Chromaticity, blue: Chromaticity) {
        func xy(_ x: Double, _ y: Double) -> Chromaticity { Chromaticity(x: x, y: y) }
        return switch self {
        case .rec709: (xy(0.64, 0.33), xy(0.30, 0.60), xy(0.15, 0.06))
        case .displayP3: (xy(0.68, 0.32), xy(0.265, 0.69), xy(0.15, 0.06))
        case .adobeRGB: (xy(0.64, 0.33), xy(0.21, 0.71), xy(0.15, 0.06))
        case .rec2020: (xy(0.708, 0.292), xy(0.170, 0.797), xy(0.131, 0.046))
        }
    }

    /// Linear RGB to XYZ. RGB (1, 1, 1) becomes `Chromaticity.d65` with Y = 1.
    public var toXYZ: Matrix3x3 {
        let (red, green, blue) = chromaticities
        let columns = [red.xyz, green.xyz, blue.xyz]
        let raw = Matrix3x3((0..<9).map { columns[$0 % 3][$0 / 3] })
        let gains = (raw.inverse ?? .identity) * Chromaticity.d65.xyz
        return raw * .diagonal(gains)
    }

    /// XYZ to linear RGB: the inverse of `toXYZ`.
    public var fromXYZ: Matrix3x3 { toXYZ.inverse ?? .identity }
}
