/// A file's state when the rendition was made.
public struct FileIdentity: Hashable, Sendable {
    /// The root's name.
    public var root: String
    /// The path below the root, in bytes, because file names need not be UTF-8.
    public var path: [UInt8]
    /// The size in bytes.
    public var sizeBytes: UInt64
    /// The modification time in nanoseconds since 1970. Nil in current renditions: copying a RAW changes the time, and
    /// must not change its photo's bytes.
    public var modifiedNanoseconds: Int64?

    /// Memberwise initializer.
    public init(root: String, path: [UInt8], sizeBytes: UInt64, modifiedNanoseconds: Int64? = nil) {
        self.root = root
        self.path = path
        self.sizeBytes = sizeBytes
        self.modifiedNanoseconds = modifiedNanoseconds
    }
}

/// The recipe of a picture, in a form that other programs can name. It can be changed or undone from the RAW.
public struct AdjustmentData: Hashable, Sendable {
    /// The format of our recipes.
    public static let recipeFormat = "org.rawmill.recipe"
    /// The version of that format.
    public static let recipeVersion = "1.0"

    /// The format of `data`.
    public var formatIdentifier: String
    /// The version of that format.
    public var formatVersion: String
    /// The recipe.
    public var data: String

    /// Memberwise initializer, by default for Rawmill's recipes.
    public init(
        formatIdentifier: String = recipeFormat, formatVersion: String = recipeVersion, data: String
    ) {
        self.formatIdentifier = formatIdentifier
        self.formatVersion = formatVersion
        self.data = data
    }
}

/// Everything that a rendition's file records about itself: enough to rebuild its row of the library.
@dynamicMemberLookup
public struct RenditionIdentity: Hashable, Sendable {
    /// The rendition's key, hexadecimal digits.
    public var key: String
    /// SHA-256 of the RAW's bytes, 64 hexadecimal digits.
    public var asset: String
    /// The frame's number in the RAW, from 0.
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
    /// The version of the engine.
    public var engine: String
    /// The RAW.
    public var original: FileIdentity
    /// The RAW's name in the photo tree, without look and extension.
    public var photoBase: [UInt8]
    /// The camera's JPEG, if it shows the same shot.
    public var companion: FileIdentity?
    /// SHA-256 of the companion's bytes, hexadecimal digits.
    public var companionDigest: String?
    /// The facts of the photo. Rating and keywords are those of the packet, never nil.
    public var facts: PhotoFacts
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int

    /// Memberwise initializer.
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
