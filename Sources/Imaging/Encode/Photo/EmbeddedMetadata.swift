public import Metadata
import PictureFormat

/// What a photo says of itself, in its file.
public struct EmbeddedMetadata: Sendable {
    /// Its size is the photo's.
    public var exif: RenditionExif
    /// The XMP packet, in UTF-8.
    public var xmp: [UInt8]
    /// The ICC profile.
    public var profile: [UInt8]

    /// Puts the three together.
    public init(exif: RenditionExif, xmp: [UInt8], profile: [UInt8]) {
        self.exif = exif
        self.xmp = xmp
        self.profile = profile
    }

    /// Of the photo, in pixels.
    var size: PixelSize { PixelSize(width: exif.width, height: exif.height) }
}
