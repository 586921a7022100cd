public import PictureFormat

/// JPEG settings.
public struct JPEGCoding: Hashable, Sendable {
    /// 1…100, libjpeg's scale.
    public var quality: Int
    /// Chroma subsampling of the file, never `auto`. A picture with fewer chroma samples keeps its own.
    public var subsampling: JPEGSubsampling
    /// Progressive: passes from coarse to fine, with Huffman tables optimised for the picture.
    public var isProgressive: Bool

    /// Resolves `auto` by the quality.
    public init(quality: Int, subsampling: JPEGSubsampling = .auto, isProgressive: Bool = false) {
        self.quality = quality
        self.subsampling = subsampling.resolved(quality: UInt32(clamping: quality))
        self.isProgressive = isProgressive
    }

    /// Whether the picture's chroma is halved horizontally before it is coded.
    func halves(_ picture: ChromaSubsampling) -> Bool { subsampling == .half && picture == .none }

    func subsampling(of picture: ChromaSubsampling) -> JPEGSubsampling {
        if halves(picture) { return .half }
        return picture == .quarter ? .quarter : .full
    }
}
