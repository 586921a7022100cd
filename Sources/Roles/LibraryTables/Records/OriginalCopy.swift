public import Digest
public import Jobs
public import Manifests

/// The library's copy of a RAW: `objects/ab/cd/<asset>.<extension>`.
public struct OriginalCopy: Hashable, Sendable {
    /// SHA-256 of the RAW's bytes, and of the copy's.
    public let asset: SHA256Value
    /// The RAW's extension, made safe by `LibraryLayout.plainExtension`: a damaged database may hold any text.
    public let fileExtension: String
    /// The copy's length in bytes.
    public let sizeBytes: UInt64

    /// Makes the extension safe.
    public init(asset: SHA256Value, fileExtension: String, sizeBytes: UInt64) {
        self.asset = asset
        self.fileExtension = LibraryLayout.plainExtension(fileExtension)
        self.sizeBytes = sizeBytes
    }

    /// The copy that a rendition in a manifest names, if any.
    ///
    /// - Throws: `MergeRefusal.misplacedFile` if the copy's path is not the layout's, `.copyIsNotTheAsset` if its hash
    ///   is not the asset's.
    public init?(_ rendition: Rendition) throws(MergeRefusal) {
        guard let copy = rendition.originalCopy else { return nil }
        let name = copy.path.name
        let ending = name.lastIndex(of: UInt8(ascii: ".")).map { String(decoding: name[($0 + 1)...], as: UTF8.self) }
        let expected = LibraryLayout.original(rendition.asset, fileExtension: ending ?? "raw")
        guard copy.path == expected else { throw .misplacedFile(copy.path, expected: expected) }
        guard copy.digest == rendition.asset else { throw .copyIsNotTheAsset(copy.path) }
        self.init(asset: rendition.asset, fileExtension: ending ?? "raw", sizeBytes: copy.sizeBytes)
    }

    /// The copy's path below the library's folder.
    public var path: RelativePath { LibraryLayout.original(asset, fileExtension: fileExtension) }
}
