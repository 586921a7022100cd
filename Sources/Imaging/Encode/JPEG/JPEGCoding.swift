public import PictureFormat

/// How a photo is coded as JPEG.
public struct JPEGCoding: Hashable, Sendable {
    /// 1…100, libjpeg's scale.
    public var quality: Int
    /// How many colour samples the file has; never `auto`. A picture that comes with fewer keeps those that it has.
    public var subsampling: JPEGSubsampling
    /// Passes from coarse to fine, with Huffman tables made for the picture.
    public var isProgressive: Bool

    /// The parameters are the properties of the same names; `auto` is resolved.
    public init(quality: Int, subsampling: JPEGSubsampling = .auto, isProgressive: Bool = false) {
        self.quality = quality
        self.subsampling = subsampling.resolved(quality: UInt32(clamping: quality))
        self.isProgressive = isProgressive
    }

    /// Whether each two colour samples of a row become one before a picture is coded.
    func halves(_ picture: ChromaSubsampling) -> Bool { subsampling == .half && picture == .none }

    /// The colour samples of the file.
    func subsampling(of picture: ChromaSubsampling) -> JPEGSubsampling {
        if halves(picture) { return .half }
        return picture == .quarter ? .quarter : .full
    }
}
