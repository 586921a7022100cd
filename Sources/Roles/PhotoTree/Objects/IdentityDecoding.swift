internal import Digest
package import Jobs
package import LibraryTables
package import Manifests

/// Why the identity in a file's XMP does not fit the file.
package enum IdentityProblem: Error {
    case invalid
    case otherName
    case otherRecipe

    var sentence: String {
        switch self {
        case .invalid: "the identity in its XMP is invalid"
        case .otherName: "its XMP belongs to a rendition of another name"
        case .otherRecipe: "its recipe does not have the hash that its XMP states"
        }
    }
}

extension RenditionRecord {
    /// The record of a rendition whose XMP holds this identity.
    ///
    /// - Parameters:
    ///   - name: the key in the file's name.
    ///   - rendered: when the file was written, in nanoseconds since 1970. It replaces the RAW's time of modification,
    ///     which photos do not record: of two RAWs at one path, the later one was rendered later.
    /// - Throws: `IdentityProblem` if the identity is invalid or does not fit the name.
    package init(
        _ identity: RenditionIdentity, named name: RenditionKey, photo: FileRecord, preview: FileRecord?,
        rendered: Int64
    ) throws(IdentityProblem) {
        let recipe = try RecipeRecord(identity)
        guard let asset = SHA256Value(hex: identity.asset), let engine = UInt32(identity.engine),
            let original = identity.original.stamp(elseModified: rendered), isPictureSide(identity.width),
            isPictureSide(identity.height)
        else { throw .invalid }
        self.init(
            asset: asset, frame: identity.frame, recipe: recipe, engine: engine, photo: photo, preview: preview,
            original: original,
            companion: identity.companion?.stamp(elseModified: rendered).map {
                Companion(file: $0, digest: identity.companionDigest.flatMap { SHA256Value(hex: $0) })
            }, facts: identity.facts, photoBase: identity.photoBase,
            format: recipe.format ?? name.format)
        guard key == name else { throw .otherName }
    }
}

/// Whether a JPEG can have this width or height.
private func isPictureSide(_ pixels: Int) -> Bool { (1...65_535).contains(pixels) }

extension RecipeRecord {
    fileprivate init(_ identity: RenditionIdentity) throws(IdentityProblem) {
        guard let id = SHA256Value(hex: identity.recipeID), LookReference.isName(identity.lookName) else {
            throw .invalid
        }
        let adjustment = Adjustment(
            formatIdentifier: identity.adjustment.formatIdentifier, formatVersion: identity.adjustment.formatVersion,
            data: identity.adjustment.data)
        // An edit in another format is kept for its readers.
        if case .recipe(let recipe) = adjustment.reading, recipe.id != id { throw .otherRecipe }
        self.init(id: id, look: identity.lookName, lookVersion: identity.lookVersion, adjustment: adjustment)
    }
}

extension FileIdentity {
    fileprivate func stamp(elseModified time: Int64) -> FileStamp? {
        guard let root = RootName(root), let path = RelativePath(bytes: path) else { return nil }
        return FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: sizeBytes,
            modifiedNanoseconds: modifiedNanoseconds ?? time)
    }
}
