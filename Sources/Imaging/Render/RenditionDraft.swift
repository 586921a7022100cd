internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Pixels

/// A rendition before its file stands: what the file will say of itself.
struct RenditionDraft {
    let work: FrameWork
    let key: RenditionKey
    let metadata: SourceMetadata
    let size: PixelSize
    let degraded: String?

    /// Names the engine, not the program's release: the bytes may depend on nothing else.
    static let software = "Rawmill (engine \(Engine.version))"

    /// The camera's JPEG, where it is of this shot.
    var companion: CompanionMaterial? {
        guard let companion = work.material.companion, companion.capture.isSameShot(as: CaptureStamp(metadata))
        else { return nil }
        return companion
    }

    var identity: RenditionIdentity {
        let recipe = work.job.recipe
        let companion = companion
        return RenditionIdentity(
            key: key.description, asset: work.material.asset.description, frame: UInt32(work.frame),
            recipeID: recipe.id.description,
            adjustment: AdjustmentData(
                formatIdentifier: AdjustmentData.recipeFormat, formatVersion: AdjustmentData.recipeVersion,
                data: recipe.canonicalText),
            lookName: recipe.look.name, lookVersion: recipe.look.version, lookDigest: recipe.look.digest.description,
            engine: String(Engine.version), original: FileIdentity(work.job.source.raw),
            photoBase: work.job.source.photoBase, companion: companion.map { FileIdentity($0.stamp) },
            companionDigest: companion?.digest.description, degraded: degraded, captured: metadata.captured,
            make: metadata.make, model: metadata.model, width: size.width, height: size.height)
    }

    /// - Parameter photo: the file that stands, and what it says of itself: this draft's identity, or that of a file
    ///   another RAW with the same bytes was rendered to before.
    func rendition(
        photo: PublishedPhoto, preview: ProducedFile, copy: ProducedFile?, timings: [StageTiming]
    ) -> Rendition {
        let identity = photo.identity
        return Rendition(
            asset: work.material.asset, frame: UInt32(work.frame), recipe: work.job.recipe, engine: Engine.version,
            photo: photo.file, preview: preview, original: identity.original.stamp ?? work.job.source.raw,
            originalCopy: copy, companion: identity.companion?.stamp,
            companionDigest: identity.companionDigest.flatMap { SHA256Value(hex: $0) }, degraded: identity.degraded,
            captured: identity.captured, make: identity.make, model: identity.model, photoBase: identity.photoBase,
            timings: timings)
    }
}

extension FileIdentity {
    init(_ stamp: FileStamp) {
        self.init(
            root: stamp.file.root.text, path: stamp.file.path.bytes, sizeBytes: stamp.sizeBytes,
            modifiedNanoseconds: stamp.modifiedNanoseconds)
    }

    /// Nil for a name or path that none can have.
    var stamp: FileStamp? {
        guard let root = RootName(root), let path = RelativePath(bytes: path) else { return nil }
        return FileStamp(
            file: FileReference(root: root, path: path), sizeBytes: sizeBytes, modifiedNanoseconds: modifiedNanoseconds)
    }
}
