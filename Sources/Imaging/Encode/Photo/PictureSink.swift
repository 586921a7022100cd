public import Pixels

/// Makes one photo's file from the strips of its picture, while it is developed.
///
/// `PhotoEncoder` begins it with the metadata. The strips follow, in any order and from several threads. `finish`
/// completes the file, whose bytes do not depend on the order of the strips or the number of threads.
public protocol PictureSink: StripSink {
    /// Time spent on the strips, summed over all threads.
    var encodingTime: Duration { get }

    /// Completes the photo. All strips must have been written, and it is called once.
    ///
    /// - Parameter supplement: what only a JPEG has; other formats leave it out.
    /// - Returns: the file's size in bytes.
    /// - Throws: `EncodeError`, also for what went wrong with a strip.
    func finish(_ supplement: PhotoSupplement) throws(EncodeError) -> Int
}

/// What is made of a developed picture and belongs into a JPEG's file.
public struct PhotoSupplement: Sendable {
    /// A JPEG for the EXIF; nil for none.
    public var thumbnail: [UInt8]?
    /// The gain map's file; nil for none.
    public var gainMap: [UInt8]?

    /// Either may be nil.
    public init(thumbnail: [UInt8]? = nil, gainMap: [UInt8]? = nil) {
        self.thumbnail = thumbnail
        self.gainMap = gainMap
    }

    /// Nothing to add.
    public static let none = PhotoSupplement()
}
