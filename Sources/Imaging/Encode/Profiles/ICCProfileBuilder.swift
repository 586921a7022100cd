import CLittleCMS
import ColourScience
import PictureFormat
import Pixels

/// Builds the display profile (ICC version 4, matrix and curve) of one output space with Little CMS.
///
/// Sources: IEC 61966-2-1 (sRGB), SMPTE EG 432-1 (P3, with the D65 white and sRGB curve of displays),
/// Adobe RGB (1998) Color Image Encoding, May 2005.
struct ICCProfileBuilder {
    private let space: ColourSpace

    init(_ space: ColourSpace) { self.space = space }

    func build() throws(EncodeError) -> [UInt8] {
        guard let draft = unsafe makeProfile() else { throw .profileFailed(space) }
        defer { unsafe cmsCloseProfile(draft) }
        guard var bytes = unsafe Self.save(draft), bytes.count >= 128 else { throw .profileFailed(space) }
        // Little CMS writes the current time (header bytes 24…35) and cannot be configured otherwise. The date is
        // fixed, so that the bytes are the same everywhere; the profile ID (an MD5) is computed afterwards.
        bytes.replaceSubrange(24..<36, with: Self.fixedDate)
        guard let dated = unsafe cmsOpenProfileFromMem(bytes, cmsUInt32Number(bytes.count)) else {
            throw .profileFailed(space)
        }
        defer { unsafe cmsCloseProfile(dated) }
        guard unsafe cmsMD5computeID(dated) != 0, let final = unsafe Self.save(dated) else {
            throw .profileFailed(space)
        }
        return final
    }

    /// 2024-01-01 00:00:00 as six big-endian 16-bit numbers.
    private static let fixedDate: [UInt8] = [0x07, 0xE8, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]

    private func makeProfile() -> cmsHPROFILE? {
        guard let curve = unsafe makeCurve() else { return nil }
        defer { unsafe cmsFreeToneCurve(curve) }
        var white = Self.xyY(.d65OfStandards)
        var primaries = primaries
        let curves = unsafe [curve, curve, curve] as [OpaquePointer?]
        guard let profile = unsafe cmsCreateRGBProfile(&white, &primaries, curves) else { return nil }
        guard unsafe write(cmsSigProfileDescriptionTag, name, profile), unsafe write(cmsSigCopyrightTag, "CC0", profile)
        else {
            unsafe cmsCloseProfile(profile)
            return nil
        }
        return unsafe profile
    }

    private var name: String {
        switch space {
        case .sRGB: "sRGB"
        case .displayP3: "Display P3"
        case .adobeRGB: "Compatible with Adobe RGB (1998)"
        }
    }

    private var primaries: cmsCIExyYTRIPLE {
        let (red, green, blue) = RGBPrimaries(space).chromaticities
        return cmsCIExyYTRIPLE(Red: Self.xyY(red), Green: Self.xyY(green), Blue: Self.xyY(blue))
    }

    private static func xyY(_ c: Chromaticity) -> cmsCIExyY { cmsCIExyY(x: c.x, y: c.y, Y: 1) }

    private func makeCurve() -> OpaquePointer? {
        switch space {
        // Type 4 is ICC's parametric function 3: a power law with a linear foot.
        case .sRGB, .displayP3:
            unsafe cmsBuildParametricToneCurve(nil, 4, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
        case .adobeRGB: unsafe cmsBuildGamma(nil, 563.0 / 256)
        }
    }

    private func write(_ tag: cmsTagSignature, _ text: String, _ profile: cmsHPROFILE) -> Bool {
        guard let translations = unsafe cmsMLUalloc(nil, 1) else { return false }
        defer { unsafe cmsMLUfree(translations) }
        return unsafe cmsMLUsetASCII(translations, "en", "US", text) != 0
            && cmsWriteTag(profile, tag, UnsafeRawPointer(translations)) != 0
    }

    private static func save(_ profile: cmsHPROFILE) -> [UInt8]? {
        var byteCount: cmsUInt32Number = 0
        guard unsafe cmsSaveProfileToMem(profile, nil, &byteCount) != 0, byteCount > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(byteCount))
        guard unsafe cmsSaveProfileToMem(profile, &bytes, &byteCount) != 0 else { return nil }
        return bytes
    }
}
