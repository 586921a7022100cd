public import PictureFormat

/// Some rows of an upright picture, in one of two forms.
///
/// Developing passes strips to encoding while it computes the rest of the picture.
public enum PictureStrip: Sendable {
    case yCbCr(YCbCrStrip)
    case rgb(RGBStrip)

    /// Rows of a strip; a picture's last strip may have fewer. A strip and its inputs fit into a processor's
    /// second-level cache.
    public static let rows = 64

    /// Number of strips of a picture.
    public static func count(_ picture: PixelSize) -> Int { (picture.height + rows - 1) / rows }
}

/// Receives each strip of a picture once, in any order, from several threads at once.
public protocol StripSink: AnyObject, Sendable {
    /// - Parameter strip: valid during the call.
    func write(_ strip: PictureStrip)
}
