/// A file as it was when the rendition was made: (root, relative path, size, mtime).
public struct FileIdentity: Hashable, Sendable {
    /// Name of the shared-storage root.
    public var root: String
    /// Below the root; bytes, because file names need not be UTF-8.
    public var path: [UInt8]
    public var sizeBytes: UInt64
    /// Nanoseconds since 1970.
    public var modifiedNanoseconds: Int64

    public init(root: String, path: [UInt8], sizeBytes: UInt64, modifiedNanoseconds: Int64) {
        self.root = root
        self.path = path
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}

/// What made a picture, in a form other programs can name: an edit that can be changed or undone from the RAW.
public struct AdjustmentData: Hashable, Sendable {
    public static let recipeFormat = "org.rawmill.recipe"
    public static let recipeVersion = "1.0"

    public var formatIdentifier: String
    public var formatVersion: String
    public var data: String

    public init(
        formatIdentifier: String = recipeFormat, formatVersion: String = recipeVersion, data: String
    ) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}

/// Everything a rendition says about itself, enough to build its row of the library again.
public struct RenditionIdentity: Hashable, Sendable {
    /// Name of the file's object: hexadecimal digits.
    public var key: String
    /// SHA-256 of the RAW's bytes, 64 hexadecimal digits.
    public var asset: String
    public var frame: UInt32
    /// SHA-256 of the recipe's canonical text, hexadecimal digits.
    public var recipeID: String
    public var adjustment: AdjustmentData
    public var lookName: String
    public var lookVersion: UInt32
    /// SHA-256 of the look's definition, hexadecimal digits.
    public var lookDigest: String
    public var engine: String
    public var original: FileIdentity
    /// The RAW's name in the photo tree, without look and extension.
    public var photoBase: [UInt8]
    /// The camera's own JPEG, where it is of the same shot.
    public var companion: FileIdentity?
    public var companionDigest: String?
    /// Why the colours cannot be trusted; nil for a good rendition.
    public var degraded: String?
    /// As EXIF writes it; nil where the camera recorded none.
    public var captured: String?
    public var make: String
    public var model: String
    /// Of the rendition, in pixels.
    public var width: Int
    public var height: Int

    public init(
        key: String, asset: String, frame: UInt32, recipeID: String, adjustment: AdjustmentData, lookName: String,
        lookVersion: UInt32, lookDigest: String, engine: String, original: FileIdentity, photoBase: [UInt8],
        companion: FileIdentity? = nil, companionDigest: String? = nil, degraded: String? = nil,
        captured: String? = nil, make: String, model: String, width: Int, height: Int
    ) {
        self.key = key
        self.asset = asset
        self.frame = frame
        self.recipeID = recipeID
        self.adjustment = adjustment
        self.lookName = lookName
        self.lookVersion = lookVersion
        self.lookDigest = lookDigest
        self.engine = engine
        self.original = original
        self.photoBase = photoBase
        self.companion = companion
        self.companionDigest = companionDigest
        self.degraded = degraded
        self.captured = captured
        self.make = make
        self.model = model
        self.width = width
        self.height = height
    }
}
