public import Digest
public import Jobs
public import PictureFormat

/// A file that a render put into the library.
public struct ProducedFile: Hashable, Sendable {
    /// Relative to the library's folder.
    public let path: RelativePath
    /// SHA-256 of the file.
    public let digest: SHA256Value
    /// Size in bytes.
    public let sizeBytes: UInt64
    /// In pixels; nil for a RAW.
    public let size: PixelSize?

    /// Memberwise initializer.
    public init(path: RelativePath, digest: SHA256Value, sizeBytes: UInt64, size: PixelSize?) {
        self.path = path
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.size = size
    }
}

/// The duration of a stage.
public struct StageTiming: Hashable, Sendable {
    /// `read`, `decode`, `develop`, `encode` or `write`.
    public let stage: String
    /// Wall time.
    public let microseconds: UInt64

    /// Memberwise initializer.
    public init(stage: String, microseconds: UInt64) {
        self.stage = stage
        self.microseconds = microseconds
    }
}

/// The rendition of one frame of a RAW: photo and preview, and what made them.
@dynamicMemberLookup
public struct Rendition: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's number, from 0.
    public let frame: UInt32
    /// What decided the pixels.
    public let recipe: Recipe
    /// The version of the develop engine.
    public let engine: UInt32
    /// The photo.
    public let photo: ProducedFile
    /// The preview, a JPEG in display size.
    public let preview: ProducedFile
    /// The RAW, as in the photo's own XMP.
    public let original: FileStamp
    /// The RAW's copy in the library, for `--originals copy` and `move`.
    public private(set) var originalCopy: ProducedFile?
    /// The camera's JPEG beside the RAW, if it shows the same shot.
    public let companion: FileStamp?
    /// SHA-256 of the companion.
    public let companionDigest: SHA256Value?
    /// The facts of the photo.
    public let facts: PhotoFacts
    /// The RAW's name in the photo tree, without look and extension.
    public let photoBase: [UInt8]
    /// In the order of the stages.
    public let timings: [StageTiming]
    /// SHA-256 of the reused photo in the library, of the same RAW, recipe and engine, which this one equals or differs
    /// from only in its XMP. Nil if the photo was developed.
    public let reused: SHA256Value?
    /// Whether the recipe's camera profiles lack the camera, so that the file's colours are used. False for reused
    /// photos.
    public let lacksProfile: Bool
    /// The key of its files, derived from asset, frame, recipe and engine.
    public let key: RenditionKey

    /// Memberwise initializer; derives `key`.
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

    /// The camera's name, for sentences.
    public var cameraName: String { facts.camera.isEmpty ? "an unnamed camera" : facts.camera }

    /// The same rendition with the RAW's copy in the library.
    public func with(originalCopy: ProducedFile) -> Rendition {
        var rendition = self
        rendition.originalCopy = originalCopy
        return rendition
    }
}
