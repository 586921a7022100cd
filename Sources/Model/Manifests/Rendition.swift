public import Digest
public import Jobs
public import PictureFormat

/// A file that a render put into the library.
public struct ProducedFile: Hashable, Sendable {
    /// Below the library's folder.
    public let path: RelativePath
    /// SHA-256 of the file.
    public let digest: SHA256Value
    /// Size in bytes.
    public let sizeBytes: UInt64
    /// Pixels; nil for a RAW.
    public let size: PixelSize?

    /// The parameters are the properties of the same names.
    public init(path: RelativePath, digest: SHA256Value, sizeBytes: UInt64, size: PixelSize?) {
        self.path = path
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.size = size
    }
}

/// How long one stage took.
public struct StageTiming: Hashable, Sendable {
    /// `read`, `decode`, `develop`, `encode` or `write`.
    public let stage: String
    /// Wall time.
    public let microseconds: UInt64

    /// - Parameters:
    /// - stage: its name.
    /// - microseconds: wall time.
    public init(stage: String, microseconds: UInt64) {
        self.stage = stage
        self.microseconds = microseconds
    }
}

/// What one frame of a RAW became: the pair, and what made it.
@dynamicMemberLookup
public struct Rendition: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// From 0; which picture of the RAW.
    public let frame: UInt32
    /// What decided the pixels.
    public let recipe: Recipe
    /// Version of the develop engine that made it.
    public let engine: UInt32
    /// The JPEG in full size.
    public let photo: ProducedFile
    /// The JPEG in display size.
    public let preview: ProducedFile
    /// The RAW as the photo's own XMP names it.
    public let original: FileStamp
    /// The RAW's copy in the library, for `--originals copy` and `move`.
    public private(set) var originalCopy: ProducedFile?
    /// The camera's own JPEG beside the RAW, where it shows the same shot.
    public let companion: FileStamp?
    /// SHA-256 of the companion.
    public let companionDigest: SHA256Value?
    /// What is known of the photo.
    public let facts: PhotoFacts
    /// The RAW's name in the photo tree, without look and extension.
    public let photoBase: [UInt8]
    /// In the order of the stages.
    public let timings: [StageTiming]
    /// SHA-256 of the library's photo of the same RAW, recipe and engine that this one is, or differs from in its XMP alone:
    /// nothing was developed. Nil for a photo that was developed.
    public let reused: SHA256Value?
    /// The recipe's camera profiles have none for the camera: the colours are what the file says. False also for a photo that
    /// was not developed now.
    public let lacksProfile: Bool
    /// Names its files; from asset, frame, recipe and engine.
    public let key: RenditionKey

    /// The parameters are the properties of the same names. `key` follows from them.
    public init(
        asset: SHA256Value, frame: UInt32, recipe: Recipe, engine: UInt32, photo: ProducedFile, preview: ProducedFile,
        original: FileStamp, originalCopy: ProducedFile? = nil, companion: FileStamp? = nil,
        companionDigest: SHA256Value? = nil, facts: PhotoFacts, photoBase: [UInt8], timings: [StageTiming] = [],
        reused: SHA256Value? = nil, lacksProfile: Bool = false
    ) {
        self.asset = asset
        self.frame = frame
        self.recipe = recipe
        self.engine = engine
        self.photo = photo
        self.preview = preview
        self.original = original
        self.originalCopy = originalCopy
        self.companion = companion
        self.companionDigest = companionDigest
        self.facts = facts
        self.photoBase = photoBase
        self.timings = timings
        self.reused = reused
        self.lacksProfile = lacksProfile
        key = RenditionKey(
            asset: asset, frame: frame, recipe: recipe.id, engine: engine, format: recipe.format)
    }

    /// One of the photo's facts.
    public subscript<Value>(dynamicMember fact: KeyPath<PhotoFacts, Value>) -> Value { facts[keyPath: fact] }

    /// The camera's name, where a sentence needs one.
    public var cameraName: String { facts.camera.isEmpty ? "a camera without a name" : facts.camera }

    /// The same with the RAW's copy in the library.
    public func with(originalCopy: ProducedFile) -> Rendition {
        var rendition = self
        rendition.originalCopy = originalCopy
        return rendition
    }
}
