public import PictureFormat

/// Some rows of an upright picture, in one of the two forms that photos are made of.
///
/// Developing hands strips to encoding while the rest of the picture is still in the making.
public enum PictureStrip: Sendable {
    /// Y′CbCr with 8 bits a sample.
    case yCbCr(YCbCrStrip)
    /// R′G′B′ with 16 bits a channel.
    case rgb(RGBStrip)

    /// Rows of a strip; a picture's last strip may have fewer. The samples of a strip and what they are computed from
    /// fit a processor's second-level cache.
    public static let rows = 64

    /// How many strips a picture has.
    public static func count(_ picture: PixelSize) -> Int { (picture.height + rows - 1) / rows }
}

/// Receives the strips of a picture: each once, in no promised order, from several threads at once.
public protocol StripSink: AnyObject, Sendable {
    /// - Parameter strip: valid during the call.
    func write(_ strip: PictureStrip)
}
