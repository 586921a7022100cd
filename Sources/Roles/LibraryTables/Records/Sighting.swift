public import Jobs

/// A path at which a RAW was seen.
public struct Sighting: Hashable, Sendable {
    /// The RAW's state there.
    public let raw: FileStamp
    /// Its name in the photo tree, without look and extension.
    public let photoBase: [UInt8]

    /// Memberwise initializer.
    public init(raw: FileStamp, photoBase: [UInt8]) {
        self.raw = raw
        self.photoBase = photoBase
    }
}
