/// The chroma subsampling of a JPEG, as a user requests it. The raw value is the user's text.
public enum JPEGSubsampling: String, Hashable, Sendable, CaseIterable {
    /// Full where the quality is high enough for a visible difference, else a quarter.
    case auto
    /// One sample for each 2 × 2 pixels.
    case quarter = "420"
    /// One sample for two pixels of a row.
    case half = "422"
    /// One sample for each pixel.
    case full = "444"

    /// From this quality on, `auto` keeps all colour samples: users who choose it want the picture rather than small
    /// files. With a quarter of the samples at quality 92, a photo is further from its picture than with all at 86, and
    /// larger ("Quality" in the documentation).
    public static let fullFromQuality: UInt32 = 88

    /// What `auto` means at a quality, 1…100. Other choices stay the same.
    public func resolved(quality: UInt32) -> JPEGSubsampling {
        guard self == .auto else { return self }
        return quality >= Self.fullFromQuality ? .full : .quarter
    }
}
