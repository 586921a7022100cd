public import PictureFormat
internal import Pixels

/// The ICC profiles of all output spaces, built once at start-up.
///
/// The bytes depend on the colour space alone: they contain no time and no random identity.
public struct ICCProfiles: Sendable {
    private let sRGB: [UInt8]
    private let displayP3: [UInt8]
    private let adobeRGB: [UInt8]

    /// Builds them.
    ///
    /// - Throws: `profileFailed`.
    public init() throws(EncodeError) {
        sRGB = try ICCProfileBuilder(.sRGB).build()
        displayP3 = try ICCProfileBuilder(.displayP3).build()
        adobeRGB = try ICCProfileBuilder(.adobeRGB).build()
    }

    /// The complete profile as a file holds it.
    public subscript(space: ColourSpace) -> [UInt8] {
        switch space {
        case .sRGB: sRGB
        case .displayP3: displayP3
        case .adobeRGB: adobeRGB
        }
    }
}
