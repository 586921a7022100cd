public import Metadata
import PictureFormat

/// Metadata embedded in a photo's file.
public struct EmbeddedMetadata: Sendable {
    /// Contains the photo's size.
    public var exif: RenditionExif
    /// The XMP packet, in UTF-8.
    public var xmp: [UInt8]
    /// The ICC profile.
    public var profile: [UInt8]

    /// Creates the metadata from its three parts.
    public init(exif: RenditionExif, xmp: [UInt8], profile: [UInt8]) {
        self.exif = exif
        self.xmp = xmp
        self.profile = profile
    }

    var size: PixelSize { PixelSize(width: exif.width, height: exif.height) }
}
