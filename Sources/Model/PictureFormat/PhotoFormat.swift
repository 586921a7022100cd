/// The file format of a photo. The raw value is the user's text.
public enum PhotoFormat: String, Hashable, Sendable, CaseIterable {
    /// 8 bits a channel, lossy, small.
    case jpeg
    /// 16 bits a channel, lossless, for further work in other programs.
    case tiff
    /// Likewise, in a file that browsers also show.
    case png
    /// 10 bits a channel, lossy, smaller than a JPEG, for browsers and phones.
    case avif
    /// JPEG XL, lossy, smaller than a JPEG.
    case jxl

    /// The file extension.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png: "png"
        case .avif: "avif"
        case .jxl: "jxl"
        }
    }

    /// Nil for an extension of no photo format.
    public init?(fileExtension: String) {
        guard let format = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else { return nil }
        self = format
    }

    /// Whether each channel of the file has 16 bits.
    public var has16Bits: Bool { self == .tiff || self == .png }

    /// Whether the format has a quality setting, with smaller files for lower qualities.
    public var hasQuality: Bool { !has16Bits }
}
