/// The kind of file that a photo is. The raw value is what people write.
public enum PhotoFormat: String, Hashable, Sendable, CaseIterable {
    /// 8 bits a channel, lossy, small.
    case jpeg
    /// 16 bits a channel, lossless, for more work in other programs.
    case tiff
    /// The same in a file that browsers show, too.
    case png
    /// 10 bits a channel, lossy, smaller than a JPEG, for browsers and phones.
    case avif
    /// JPEG XL, lossy, smaller than a JPEG, for programs that read it.
    case jxl

    /// The extension of the photo's file.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png: "png"
        case .avif: "avif"
        case .jxl: "jxl"
        }
    }

    /// Nil for an extension that no photo has.
    public init?(fileExtension: String) {
        guard let format = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else { return nil }
        self = format
    }

    /// True where each channel of the file has 16 bits, and keeps them.
    public var has16Bits: Bool { self == .tiff || self == .png }

    /// True where the file is smaller the lower its quality.
    public var hasQuality: Bool { !has16Bits }
}
