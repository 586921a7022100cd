public import PictureFormat
internal import Pixels

/// The ICC profiles of all output spaces, built once at start-up.
///
/// Their bytes depend only on the colour space: they contain no time and no random ID.
public struct ICCProfiles: Sendable {
    private let sRGB: [UInt8]
    private let displayP3: [UInt8]
    private let adobeRGB: [UInt8]

    /// Builds all profiles.
    ///
    /// - Throws: `profileFailed`.
    public init() throws(EncodeError) {
        sRGB = try ICCProfileBuilder(.sRGB).build()
        displayP3 = try ICCProfileBuilder(.displayP3).build()
        adobeRGB = try ICCProfileBuilder(.adobeRGB).build()
    }

    /// The complete profile, as embedded in files.
    public subscript(space: ColourSpace) -> [UInt8] {
        switch space {
        case .sRGB: sRGB
        case .displayP3: displayP3
        case .adobeRGB: adobeRGB
        }
    }
}
