/// The colour spaces of photos. All are display-referred, and files carry their ICC profile.
public enum ColourSpace: String, Hashable, Sendable, CaseIterable {
    case sRGB = "srgb"
    case displayP3 = "display-p3"
    /// Compatible with Adobe RGB (1998).
    case adobeRGB = "adobe-rgb"
}

/// The chroma subsampling of a picture.
public enum ChromaSubsampling: Hashable, Sendable {
    /// One chroma sample for each 2 × 2 pixels (4:2:0).
    case quarter
    /// One chroma sample for each pixel (4:4:4).
    case none
}
