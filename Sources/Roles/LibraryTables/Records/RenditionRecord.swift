public import Digest
public import Jobs
public import Manifests
public import PictureFormat

/// Hash and size of a file that the library owns.
public struct FileRecord: Hashable, Sendable {
    /// SHA-256 of the file's bytes.
    public let digest: SHA256Value
    /// The file's length in bytes.
    public let sizeBytes: UInt64
    /// Width and height in pixels; nil if the file is not a picture with a readable header.
    public let size: PixelSize?

    /// Memberwise initializer.
    public init(digest: SHA256Value, sizeBytes: UInt64, size: PixelSize?) {
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.size = size
    }

    /// The record of a file that a worker wrote.
    public init(_ file: ProducedFile) {
        self.init(digest: file.digest, sizeBytes: file.sizeBytes, size: file.size)
    }
}

/// The camera's JPEG of a RAW.
public struct Companion: Hashable, Sendable {
    /// The file's location, size and time of modification.
    public let file: FileStamp
    /// SHA-256 of its bytes; nil if not read.
    public let digest: SHA256Value?

    /// Memberwise initializer.
    public init(file: FileStamp, digest: SHA256Value?) {
        self.file = file
        self.digest = digest
    }
}

/// One rendition as the library stores it. All of it is in the rendition's XMP or follows from its bytes, unless the
/// RAW has left the path in the XMP.
@dynamicMemberLookup
public struct RenditionRecord: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's index within the RAW, from 0.
    public let frame: UInt32
    /// The recipe of the rendition.
    public let recipe: RecipeRecord
    /// The version of the engine that rendered it.
    public let engine: UInt32
    /// The full-size JPEG.
    public let photo: FileRecord
    /// The display-size JPEG; nil if the file is lost.
    public let preview: FileRecord?
    /// The RAW at the XMP's path; at another of its paths if that one was pruned.
    public private(set) var original: FileStamp
    /// The camera's JPEG; nil if there was none.
    public private(set) var companion: Companion?
    /// Known facts. Rating and keywords are nil in rows of versions that did not record them.
    public let facts: PhotoFacts
    /// The photo's file name without look and extension, as bytes.
    public private(set) var photoBase: [UInt8]
    /// Names the rendition's files. Follows from asset, frame, recipe and engine.
    public let key: RenditionKey

    /// Derives the key.
    ///
    /// - Parameter format: needed only if the recipe's format is unknown.
    public init(
        asset: SHA256Value, frame: UInt32, recipe: RecipeRecord, engine: UInt32, photo: FileRecord,
        preview: FileRecord?, original: FileStamp, companion: Companion? = nil, facts: PhotoFacts, photoBase: [UInt8],
        format: PhotoFormat
    ) {
        self.asset = asset
        self.frame = frame
        self.recipe = recipe
        self.engine = engine
        self.photo = photo
        self.preview = preview
        self.original = original
        self.companion = companion
        self.facts = facts
        self.photoBase = photoBase
        key = RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: engine, format: format)
    }

    /// One of the photo's facts.
    public subscript<Value>(dynamicMember fact: KeyPath<PhotoFacts, Value>) -> Value { facts[keyPath: fact] }

    package func seen(at sighting: Sighting) -> RenditionRecord {
        var record = self
        (record.original, record.photoBase) = (sighting.raw, sighting.photoBase)
        return record
    }

    /// The rendition with its files' times from an older record.
    package func dated(as known: RenditionRecord) -> RenditionRecord {
        var record = self
        if known.original.file == original.file { record.original = known.original }
        if let other = known.companion, let own = companion, other.file.file == own.file.file,
            other.digest == own.digest
        {
            record.companion = other
        }
        return record
    }
}

extension RenditionRecord {
    /// The record of a rendition in a manifest.
    ///
    /// - Parameter recipe: the rendition's recipe, if the caller has its record.
    /// - Throws: `MergeRefusal.misplacedFile` if a file's path is not the layout's, because a manifest must not direct
    ///   the library to any file.
    public init(_ rendition: Rendition, recipe: RecipeRecord? = nil) throws(MergeRefusal) {
        self.init(unchecked: rendition, recipe ?? RecipeRecord(rendition.recipe))
        guard rendition.photo.path == LibraryLayout.photo(key) else {
            throw .misplacedFile(rendition.photo.path, expected: LibraryLayout.photo(key))
        }
        guard rendition.preview.path == LibraryLayout.preview(key) else {
            throw .misplacedFile(rendition.preview.path, expected: LibraryLayout.preview(key))
        }
    }

    private init(unchecked rendition: Rendition, _ recipe: RecipeRecord) {
        self.init(
            asset: rendition.asset, frame: rendition.frame, recipe: recipe, engine: rendition.engine,
            photo: FileRecord(rendition.photo), preview: FileRecord(rendition.preview), original: rendition.original,
            companion: rendition.companion.map { Companion(file: $0, digest: rendition.companionDigest) },
            facts: rendition.facts, photoBase: rendition.photoBase,
            format: rendition.recipe.format)
    }
}
