internal import Digest
internal import Encode
internal import Jobs
internal import Manifests
internal import Metadata
internal import PictureFormat
internal import Pixels
internal import RenderJobs

/// A rendition before its files are published, with all of their metadata.
struct RenditionDraft {
    let task: FrameTask
    /// The files to write.
    let files: FrameFiles
    var asset: SHA256Value { files.asset }
    let metadata: SourceMetadata
    let size: PixelSize
    /// Reason why the colours are unreliable; nil if they are reliable.
    let degraded: String?
    /// The performed lens corrections, or the reason for none; nil if none were requested.
    let lens: String?
    /// Whether the recipe's camera profiles have none for this camera, so that the file's colours are used.
    let lacksProfile: Bool
    /// Properties inherited from RAW and sidecar.
    let inherited: InheritedXMP
    let key: RenditionKey
    let hasGainMap: Bool

    init(
        task: FrameTask, files: FrameFiles, metadata: SourceMetadata, size: PixelSize, toolkit: XMPToolkit,
        degraded: String? = nil, lens: String? = nil, lacksProfile: Bool = false, hasGainMap: Bool = false
    ) {
        self.task = task
        self.files = files
        self.metadata = metadata
        self.size = size
        self.degraded = degraded
        self.lens = lens
        self.lacksProfile = lacksProfile
        self.hasGainMap = hasGainMap
        // A RAW with a damaged packet can still be rendered; only the packet's contents are lost.
        let own = metadata.xmp.flatMap { try? toolkit.inherited(from: $0) } ?? InheritedXMP()
        inherited = own.completed(by: metadata.exif).overridden(by: task.material.sidecar)
            .without(Self.strippedDetails(task.job.recipe))
        key = RenditionKey(
            asset: files.asset, frame: UInt32(task.frame), recipe: task.job.recipe.id, engine: Engine.version,
            format: task.job.recipe.format)
    }

    /// The engine, not the program's release: only the engine decides the bytes, with the encoder for AVIF and JPEG XL.
    private var software: String {
        let encoder =
            switch key.format {
            case .avif: ", \(AVIFLibrary.encoder)"
            case .jxl: ", \(JXLLibrary.encoder)"
            case .jpeg, .tiff, .png: ""
            }
        return "Rawmill (engine \(Engine.version)\(encoder))"
    }

    /// The camera's JPEG if it is of the same shot.
    private var companion: CompanionJPEG? {
        guard let companion = task.material.companion, companion.capture.isSameShot(as: CaptureStamp(metadata))
        else { return nil }
        return companion
    }

    /// The photo's identity for its XMP.
    ///
    /// If paths are stripped, it names the RAW without its folders. The manifest still gives the library the full path.
    var identity: RenditionIdentity {
        let recipe = task.job.recipe
        let stripsPaths = recipe.stripped.contains(.paths)
        let companion = stripsPaths ? nil : companion
        let original = FileIdentity(task.job.source.raw)
        return RenditionIdentity(
            key: key.description, asset: asset.description, frame: UInt32(task.frame),
            recipeID: recipe.id.description,
            adjustment: AdjustmentData(
                formatIdentifier: AdjustmentData.recipeFormat, formatVersion: AdjustmentData.recipeVersion,
                data: recipe.canonicalText),
            lookName: recipe.look.name, lookVersion: recipe.look.version, lookDigest: recipe.look.digest.description,
            engine: String(Engine.version), original: stripsPaths ? original.withoutFolders : original,
            photoBase: task.job.source.photoBase, companion: companion.map { FileIdentity($0.stamp) },
            companionDigest: companion?.digest.description, facts: facts, width: size.width, height: size.height)
    }

    private var facts: PhotoFacts {
        exif.facts(
            after: PhotoFacts(
                make: metadata.make, model: metadata.model, captured: metadata.captured, degraded: degraded,
                lens: lens, rating: inherited.rating, keywords: inherited.allKeywords))
    }

    /// The photo's EXIF, without a thumbnail.
    var exif: RenditionExif {
        RenditionExif(
            source: metadata, width: size.width, height: size.height,
            isSRGB: task.job.recipe.colourSpace == .sRGB, software: software,
            stripped: Self.strippedDetails(task.job.recipe))
    }

    /// The photo's XMP: its identity and inherited properties, with room for the gain map's directory.
    func xmpPacket(_ identity: RenditionIdentity, _ toolkit: XMPToolkit) throws(Failure) -> [UInt8] {
        do throws(XMPError) {
            return try toolkit.packet(
                identity: identity, inherited: inherited, creatorTool: software,
                spareBytes: hasGainMap ? GainMapDescription.containerBytes : 0)
        } catch {
            throw Failure(.internalError, "\(task.file): \(error).")
        }
    }

    private static func strippedDetails(_ recipe: Recipe) -> StrippedDetails {
        var details: StrippedDetails = []
        let stripped = recipe.stripped
        if stripped.contains(.location) { details.insert(.location) }
        if stripped.contains(.serial) { details.insert(.serial) }
        if stripped.contains(.owner) { details.insert(.owner) }
        return details
    }

    /// The rendition for the manifest.
    ///
    /// - Parameters:
    ///   - photo: the file and its identity: this draft's, or that of an earlier photo of a copy of the RAW.
    ///   - preview: the file.
    ///   - timings: duration of each stage.
    ///   - reused: SHA-256 of the library's photo that was reused; nil if the photo was developed.
    func rendition(
        photo: PublishedPhoto, preview: ProducedFile, timings: [StageTiming],
        reused: SHA256Value? = nil
    ) -> Rendition {
        let identity = photo.identity
        let stripsPaths = task.job.recipe.stripped.contains(.paths)
        let raw = task.job.source.raw
        return Rendition(
            asset: asset, frame: UInt32(task.frame), recipe: task.job.recipe, engine: Engine.version,
            photo: photo.file, preview: preview,
            original: stripsPaths ? raw : identity.original.stamp(of: raw) ?? raw,
            companion: stripsPaths ? companion?.stamp : identity.companion?.stamp(of: companion?.stamp),
            companionDigest: stripsPaths
                ? companion?.digest : identity.companionDigest.flatMap { SHA256Value(hex: $0) },
            facts: identity.facts, photoBase: identity.photoBase, timings: timings, reused: reused,
            lacksProfile: lacksProfile)
    }
}

extension FileIdentity {
    fileprivate init(_ stamp: FileStamp) {
        self.init(root: stamp.file.root.text, path: stamp.file.path.bytes, sizeBytes: stamp.sizeBytes)
    }

    /// Replaces the root if paths are stripped.
    static let strippedRoot = "stripped"

    func isPath(of other: FileIdentity) -> Bool { root == other.root && path == other.path }

    /// Whether it precedes the other in the order of roots and paths.
    func isBefore(_ other: FileIdentity) -> Bool {
        root == other.root ? path.lexicographicallyPrecedes(other.path) : root < other.root
    }

    /// The file's name, without root and folders.
    fileprivate var withoutFolders: FileIdentity {
        let name = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0)...]
        return FileIdentity(root: Self.strippedRoot, path: Array(name), sizeBytes: sizeBytes)
    }

    /// The file; nil if root or path are invalid.
    ///
    /// - Parameter known: a file of the same bytes that was found now, maybe at another path. Its time replaces this
    ///   one's.
    func stamp(of known: FileStamp? = nil) -> FileStamp? {
        guard let root = RootName(root), let path = RelativePath(bytes: path) else { return nil }
        let file = FileReference(root: root, path: path)
        return FileStamp(
            file: file, sizeBytes: sizeBytes,
            modifiedNanoseconds: known?.modifiedNanoseconds ?? modifiedNanoseconds ?? 0)
    }
}
