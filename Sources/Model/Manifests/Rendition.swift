public import Digest
public import Jobs
public import PictureFormat

/// A file that was produced, below the library's folder.
public struct ProducedFile: Hashable, Sendable {
    public let path: RelativePath
    public let digest: SHA256Value
    public let sizeBytes: UInt64
    /// Pixels; nil for a RAW.
    public let size: PixelSize?

    public init(path: RelativePath, digest: SHA256Value, sizeBytes: UInt64, size: PixelSize?) {
        self.path = path
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.size = size
    }
}

/// How long one stage took.
public struct StageTiming: Hashable, Sendable {
    public let stage: String
    public let microseconds: UInt64

    public init(stage: String, microseconds: UInt64) {
        self.stage = stage
        self.microseconds = microseconds
    }
}

/// What one frame of a RAW became: the pair, and what made it.
public struct Rendition: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    public let frame: UInt32
    public let recipe: Recipe
    public let engine: UInt32
    public let photo: ProducedFile
    public let preview: ProducedFile
    /// The RAW, as the rendition's own XMP names it.
    public let original: FileStamp
    /// The RAW's copy in the library, for `--originals copy` and `move`.
    public let originalCopy: ProducedFile?
    /// The camera's own JPEG, where it is of the same shot.
    public let companion: FileStamp?
    public let companionDigest: SHA256Value?
    /// Why its colours cannot be trusted; nil for a good one.
    public let degraded: String?
    /// As EXIF writes it; nil where the camera recorded none.
    public let captured: String?
    public let make: String
    public let model: String
    public let photoBase: [UInt8]
    public let timings: [StageTiming]
    /// Names its files; from asset, frame, recipe and engine.
    public let key: RenditionKey

    public init(
        asset: SHA256Value, frame: UInt32, recipe: Recipe, engine: UInt32, photo: ProducedFile, preview: ProducedFile,
        original: FileStamp, originalCopy: ProducedFile? = nil, companion: FileStamp? = nil,
        companionDigest: SHA256Value? = nil, degraded: String? = nil, captured: String? = nil, make: String,
        model: String, photoBase: [UInt8], timings: [StageTiming] = []
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
        self.degraded = degraded
        self.captured = captured
        self.make = make
        self.model = model
        self.photoBase = photoBase
        self.timings = timings
        key = RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: engine)
    }
}
