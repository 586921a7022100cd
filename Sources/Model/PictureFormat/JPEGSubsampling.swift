/// How many colour samples a JPEG keeps for its pixels, as a person asks for it. The raw value is what people write.
public enum JPEGSubsampling: String, Hashable, Sendable, CaseIterable {
    /// One a pixel where the quality is high enough that the eye could tell, else one for each 2 × 2 pixels.
    case auto
    /// One for each 2 × 2 pixels.
    case quarter = "420"
    /// One for each two pixels of a row.
    case half = "422"
    /// One a pixel.
    case full = "444"

    /// From this quality on `auto` keeps all colour samples: who asks for it wants the picture rather than the bytes. With a
    /// quarter of them a photo is further from its picture at 92 than with all of them at 86, and larger ("Quality" in the
    /// documentation).
    public static let fullFromQuality: UInt32 = 88

    /// What `auto` means at a quality, 1…100; any other choice is itself.
    public func resolved(quality: UInt32) -> JPEGSubsampling {
        guard self == .auto else { return self }
        return quality >= Self.fullFromQuality ? .full : .quarter
    }
}
