internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import Storage

/// A file of `objects/` as its name has it.
struct ObjectFile: Hashable, Sendable {
    let path: RelativePath
    let digest: SHA256Value
    let fileExtension: String

    /// Nil unless the file's name is a hash with an extension, and the file stands where the layout has it.
    init?(_ path: RelativePath) {
        let parts = String(decoding: path.name, as: UTF8.self).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let digest = SHA256Value(hex: parts[0]),
            path == LibraryLayout.original(digest, fileExtension: String(parts[1]))
        else { return nil }
        self.path = path
        self.digest = digest
        self.fileExtension = String(parts[1])
    }

    var mayBeRendition: Bool { fileExtension == "jpg" }
}

/// What a file of `objects/` turned out to be.
enum ObjectContent: Sendable {
    case rendition(ObjectRendition)
    case original(OriginalCopy)
    /// Not one of ours, or damaged; a sentence about it.
    case unknown(RelativePath, String)
}

extension RenditionRecord {
    /// - Throws: an `IdentityProblem` where the identity does not fit the file's name, or has parts that cannot be.
    init(
        _ identity: RenditionIdentity, named digest: SHA256Value, photo: FileRecord, preview: FileRecord?
    ) throws(IdentityProblem) {
        let recipe = try RecipeRecord(identity)
        guard let asset = SHA256Value(hex: identity.asset), let engine = UInt32(identity.engine),
            let original = identity.original.stamp
        else { throw .impossible }
        self.init(
            asset: asset, frame: identity.frame, recipe: recipe, engine: engine, photo: photo, preview: preview,
            original: original,
            companion: identity.companion?.stamp.map {
                Companion(file: $0, digest: identity.companionDigest.flatMap { SHA256Value(hex: $0) })
            }, degraded: identity.degraded, captured: identity.captured, make: identity.make, model: identity.model,
            photoBase: identity.photoBase)
        guard key.digest == digest else { throw .otherName }
    }
}

enum IdentityProblem: Error {
    case impossible
    case otherName
    case otherRecipe

    var sentence: String {
        switch self {
        case .impossible: "its XMP holds an identity that cannot be"
        case .otherName: "its XMP belongs to a rendition of another name"
        case .otherRecipe: "its recipe does not have the hash its XMP says"
        }
    }
}

extension RecipeRecord {
    fileprivate init(_ identity: RenditionIdentity) throws(IdentityProblem) {
        guard let id = SHA256Value(hex: identity.recipeID), LookReference.isName(identity.lookName) else {
            throw .impossible
        }
        let adjustment = Adjustment(
            formatIdentifier: identity.adjustment.formatIdentifier, formatVersion: identity.adjustment.formatVersion,
            data: identity.adjustment.data)
        // The edit of another format is kept as it is; who knows it can read it.
        if case .recipe(let recipe) = adjustment.reading, recipe.id != id { throw .otherRecipe }
        self.init(id: id, look: identity.lookName, lookVersion: identity.lookVersion, adjustment: adjustment)
    }
}

extension FileIdentity {
    fileprivate var stamp: FileStamp? {
        guard let root = RootName(root), let path = RelativePath(bytes: path) else { return nil }
        return FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: sizeBytes, modifiedNanoseconds: modifiedNanoseconds)
    }
}
