/// A file as it was when the rendition was made.
public struct FileIdentity: Hashable, Sendable {
    /// The name of the shared-storage root.
    public var root: String
    /// The path below the root, as bytes, because file names need not be UTF-8.
    public var path: [UInt8]
    /// The file's length.
    public var sizeBytes: UInt64
    /// When the file was last modified, in nanoseconds since 1970; nil where the rendition does not tell. None tells any more:
    /// copying a RAW changes that time, and must not change its photo's bytes.
    public var modifiedNanoseconds: Int64?

    /// A file as it was found.
    public init(root: String, path: [UInt8], sizeBytes: UInt64, modifiedNanoseconds: Int64? = nil) {
        self.root = root
        self.path = path
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}

/// The edit that made a picture, in a form other programs can name. It can be changed or undone from the RAW.
public struct AdjustmentData: Hashable, Sendable {
    /// The format of our recipes.
    public static let recipeFormat = "org.rawmill.recipe"
    /// The version of that format.
    public static let recipeVersion = "1.0"

    /// The format of `data`.
    public var formatIdentifier: String
    /// The version of that format.
    public var formatVersion: String
    /// The edit itself.
    public var data: String

    /// An edit, by default one of our recipes.
    public init(
        formatIdentifier: String = recipeFormat, formatVersion: String = recipeVersion, data: String
    ) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}

/// Everything a rendition records about itself: enough to rebuild its row of the library.
@dynamicMemberLookup
public struct RenditionIdentity: Hashable, Sendable {
    /// The name of the file's object, hexadecimal digits.
    public var key: String
    /// SHA-256 of the RAW's bytes, 64 hexadecimal digits.
    public var asset: String
    /// The number of the picture in the RAW, from 0.
    public var frame: UInt32
    /// SHA-256 of the recipe's canonical text, hexadecimal digits.
    public var recipeID: String
    /// The recipe.
    public var adjustment: AdjustmentData
    /// The look's name.
    public var lookName: String
    /// The look's version.
    public var lookVersion: UInt32
    /// SHA-256 of the look's definition, hexadecimal digits.
    public var lookDigest: String
    /// The version of the engine that rendered it.
    public var engine: String
    /// The RAW.
    public var original: FileIdentity
    /// The RAW's name in the photo tree, without look and extension.
    public var photoBase: [UInt8]
    /// The camera's own JPEG, if it is of the same shot.
    public var companion: FileIdentity?
    /// SHA-256 of the companion's bytes, hexadecimal digits.
    public var companionDigest: String?
    /// What is known of the photo. Rating and keywords are those of the packet, never nil.
    public var facts: PhotoFacts
    /// The rendition's width in pixels.
    public var width: Int
    /// The rendition's height in pixels.
    public var height: Int

    /// An identity of these parts, without companion unless it is given.
    public init(
        key: String, asset: String, frame: UInt32, recipeID: String, adjustment: AdjustmentData, lookName: String,
        lookVersion: UInt32, lookDigest: String, engine: String, original: FileIdentity, photoBase: [UInt8],
        companion: FileIdentity? = nil, companionDigest: String? = nil, facts: PhotoFacts, width: Int, height: Int
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
        self.facts = facts
        self.width = width
        self.height = height
    }

    /// One of the photo's facts.
    public subscript<Value>(dynamicMember fact: WritableKeyPath<PhotoFacts, Value>) -> Value {
        get { facts[keyPath: fact] }
        set { facts[keyPath: fact] = newValue }
    }
}
