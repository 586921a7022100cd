public import PictureFormat
internal import Pixels

/// The ICC profiles of all output spaces, built once at start-up.
///
/// The bytes depend on the colour space alone: no clock and no random identity is in them.
public struct ICCProfiles: Sendable {
    private let sRGB: [UInt8]
    private let displayP3: [UInt8]
    private let adobeRGB: [UInt8]

    public init() throws(EncodeError) {
        sRGB = try ICCProfileBuilder(.sRGB).build()
        displayP3 = try ICCProfileBuilder(.displayP3).build()
        adobeRGB = try ICCProfileBuilder(.adobeRGB).build()
    }

    /// The whole profile, as it stands in a file.
    public subscript(space: ColourSpace) -> [UInt8] {
        switch space {
        case .sRGB: sRGB
        case .displayP3: displayP3
        case .adobeRGB: adobeRGB
        }
    }
}
