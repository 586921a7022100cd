public import Pixels

/// Writes one photo from strips while it is developed.
///
/// `PhotoEncoder` writes the head. Strips may arrive in any order and from several threads; the bytes do not depend on
/// either. `finish` completes the file.
public protocol PictureSink: StripSink {
    /// Time spent on strips, summed over all threads.
    var encodingTime: Duration { get }

    /// Completes the photo. Call once, after all strips.
    ///
    /// - Parameter supplement: parts that only a JPEG has; other formats ignore it.
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for earlier errors of strips.
    func finish(_ supplement: PhotoSupplement) throws(EncodeError) -> Int
}

/// Parts of a JPEG that are made from the developed picture.
public struct PhotoSupplement: Sendable {
    /// A JPEG for EXIF; nil for none.
    public var thumbnail: [UInt8]?
    /// A gain map as JPEG; nil for none.
    public var gainMap: [UInt8]?

    /// Creates a supplement.
    public init(thumbnail: [UInt8]? = nil, gainMap: [UInt8]? = nil) {
        self.thumbnail = thumbnail
        self.gainMap = gainMap
    }

    /// No thumbnail and no gain map.
    public static let none = PhotoSupplement()
}
