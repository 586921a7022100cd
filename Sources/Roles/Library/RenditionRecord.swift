public import Digest
public import Jobs
public import Manifests
public import PictureFormat

/// The hash and the size of a file the library owns.
public struct FileRecord: Hashable, Sendable {
    public let digest: SHA256Value
    public let sizeBytes: UInt64
    /// Pixels, where the file is a picture whose header could be read.
    public let size: PixelSize?

    public init(digest: SHA256Value, sizeBytes: UInt64, size: PixelSize?) {
        self.digest = digest
        self.sizeBytes = sizeBytes
        self.size = size
    }

    public init(_ file: ProducedFile) {
        self.init(digest: file.digest, sizeBytes: file.sizeBytes, size: file.size)
    }
}

/// The camera's own JPEG beside a RAW.
public struct Companion: Hashable, Sendable {
    public let file: FileStamp
    /// Nil where it was not read.
    public let digest: SHA256Value?

    public init(file: FileStamp, digest: SHA256Value?) {
        self.file = file
        self.digest = digest
    }
}

/// One rendition as the library keeps it: all of it is in the rendition's own XMP or follows from its bytes.
public struct RenditionRecord: Hashable, Sendable {
    public let asset: SHA256Value
    public let frame: UInt32
    public let recipe: RecipeRecord
    public let engine: UInt32
    public let photo: FileRecord
    /// Nil where the file is lost.
    public let preview: FileRecord?
    /// The RAW, where the XMP says it is.
    public let original: FileStamp
    public let companion: Companion?
    public let degraded: String?
    public let captured: String?
    public let make: String
    public let model: String
    public let photoBase: [UInt8]
    /// Names its files; from asset, frame, recipe and engine.
    public let key: RenditionKey

    public init(
        asset: SHA256Value, frame: UInt32, recipe: RecipeRecord, engine: UInt32, photo: FileRecord,
        preview: FileRecord?, original: FileStamp, companion: Companion? = nil, degraded: String? = nil,
        captured: String? = nil, make: String, model: String, photoBase: [UInt8]
    ) {
        self.asset = asset
        self.frame = frame
        self.recipe = recipe
        self.engine = engine
        self.photo = photo
        self.preview = preview
        self.original = original
        self.companion = companion
        self.degraded = degraded
        self.captured = captured
        self.make = make
        self.model = model
        self.photoBase = photoBase
        key = RenditionKey(asset: asset, frame: frame, recipe: recipe.id, engine: engine)
    }
}

extension RenditionRecord {
    /// - Throws: a refusal where a file does not stand where the layout has it: a manifest never leads the library to
    ///   a file of its choice.
    ///
    /// - Parameter recipe: the rendition's own, for callers who keep it from one rendition to the next.
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
            degraded: rendition.degraded, captured: rendition.captured, make: rendition.make,
            model: rendition.model, photoBase: rendition.photoBase)
    }
}

/// A RAW's copy in the library: `objects/ab/cd/<asset>.<extension>`.
public struct OriginalCopy: Hashable, Sendable {
    public let asset: SHA256Value
    /// As `LibraryLayout.plain` has it: a damaged database may say anything.
    public let fileExtension: String
    public let sizeBytes: UInt64

    public init(asset: SHA256Value, fileExtension: String, sizeBytes: UInt64) {
        self.asset = asset
        self.fileExtension = LibraryLayout.plainExtension(fileExtension)
        self.sizeBytes = sizeBytes
    }

    /// Nil where the rendition has none.
    ///
    /// - Throws: a refusal where it stands elsewhere, or is not the asset.
    public init?(_ rendition: Rendition) throws(MergeRefusal) {
        guard let copy = rendition.originalCopy else { return nil }
        let name = copy.path.name
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: name[($0 + 1)...], as: UTF8.self) }
        let expected = LibraryLayout.original(rendition.asset, fileExtension: ending ?? "raw")
        guard copy.path == expected else { throw .misplacedFile(copy.path, expected: expected) }
        guard copy.digest == rendition.asset else { throw .copyIsNotTheAsset(copy.path) }
        self.init(asset: rendition.asset, fileExtension: ending ?? "raw", sizeBytes: copy.sizeBytes)
    }

    public var path: RelativePath { LibraryLayout.original(asset, fileExtension: fileExtension) }
}

/// Why a rendition was not taken into the library.
public enum MergeRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file does not stand where the layout has it.
    case misplacedFile(RelativePath, expected: RelativePath)
    case copyIsNotTheAsset(RelativePath)
    /// There is no such file in the library's folder.
    case missingFile(RelativePath)
    /// The file has other bytes than the manifest says; the newer file's own manifest counts.
    case otherBytes(RelativePath)

    public var description: String {
        switch self {
        case .misplacedFile(let path, let expected): "the manifest names \(path), but this file stands at \(expected)"
        case .copyIsNotTheAsset(let path): "the RAW's copy \(path) does not have the asset's hash"
        case .missingFile(let path):
            "\(path) is not in the library's folder. To make it again, `touch` its RAW and run `rawmill convert`."
        case .otherBytes(let path): "\(path) was replaced since by a newer rendering"
        }
    }
}
