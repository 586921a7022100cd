/// The kind of file that a photo is. The raw value is what people write.
public enum PhotoFormat: String, Hashable, Sendable, CaseIterable {
    /// 8 bits a channel, lossy, small.
    case jpeg
    /// 16 bits a channel, lossless, for more work in other programs.
    case tiff
    /// The same in a file that browsers show, too.
    case png

    /// The extension of the photo's file.
    public var fileExtension: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .png: "png"
        }
    }

    /// Nil for an extension that no photo has.
    public init?(fileExtension: String) {
        guard let format = Self.allCases.first(where: { $0.fileExtension == fileExtension }) else { return nil }
        self = format
    }

    /// True where each channel has 16 bits.
    public var has16Bits: Bool { self != .jpeg }
}
