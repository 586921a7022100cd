public import Digest
public import Jobs
internal import Manifests
public import PictureFormat

/// One photograph and everything the library has of it.
public struct AssetDetails: Hashable, Sendable {
    /// A file that belongs to an asset.
    public struct Resource: Hashable, Sendable {
        public enum Kind: String, Hashable, Sendable {
            case photo
            case preview
            /// The RAW: where it was read, and its copy in the library.
            case alternatePhoto
            /// The camera's own JPEG.
            case cameraPhoto
        }

        public let kind: Kind
        /// In the root `library` for a file of the library itself.
        public let file: FileReference
        /// Nil where the file was not read.
        public let digest: SHA256Value?
        public let sizeBytes: UInt64
        public let size: PixelSize?
    }

    /// One of its edits that was rendered.
    public struct Revision: Hashable, Sendable {
        public let key: RenditionKey
        public let recipe: RecipeRecord
        public let engine: UInt32
        /// Where `photos/` shows it; nil for an older revision of its look.
        public let shownAt: RelativePath?
        public let degraded: String?
        public let photo: Resource
        public let preview: Resource?
    }

    public let asset: SHA256Value
    public let frame: UInt32
    public let captured: String?
    public let make: String
    public let model: String
    /// RAWs and camera JPEGs; the photos and previews stand with their revisions.
    public let sources: [Resource]
    /// The shown ones first, then by look and key.
    public let revisions: [Revision]

    /// All files of the asset.
    public var resources: [Resource] {
        revisions.flatMap { [$0.photo] + ($0.preview.map { [$0] } ?? []) } + sources
    }
}

extension AssetDetails {
    /// - Parameter shown: what `photos/` shows, by key.
    /// - Returns: nil without records.
    init?(_ records: [RenditionRecord], shown: [RenditionKey: RelativePath], copy: OriginalCopy?, copyAt: RelativePath?)
    {
        let ordered = records.sorted { a, b in
            let isShown = (shown[a.key] != nil, shown[b.key] != nil)
            if isShown.0 != isShown.1 { return isShown.0 }
            return (a.recipe.look, a.key.digest) < (b.recipe.look, b.key.digest)
        }
        guard let first = ordered.first else { return nil }
        self.init(
            asset: first.asset, frame: first.frame, captured: first.captured, make: first.make, model: first.model,
            sources: Self.sources(ordered, copy: copy, copyAt: copyAt),
            revisions: ordered.map { Revision($0, shownAt: shown[$0.key]) })
    }

    private static func sources(
        _ records: [RenditionRecord], copy: OriginalCopy?, copyAt: RelativePath?
    ) -> [Resource] {
        var all: [Resource] = []
        if let copy {
            all.append(
                Resource(
                    kind: .alternatePhoto, file: FileReference(root: .library, path: copyAt ?? copy.path),
                    digest: copy.asset, sizeBytes: copy.sizeBytes, size: nil))
        }
        for record in records {
            let original = record.original
            all.append(
                Resource(
                    kind: .alternatePhoto, file: original.file, digest: record.asset, sizeBytes: original.sizeBytes,
                    size: nil))
        }
        for companion in records.compactMap(\.companion) {
            all.append(
                Resource(
                    kind: .cameraPhoto, file: companion.file.file, digest: companion.digest,
                    sizeBytes: companion.file.sizeBytes, size: nil))
        }
        var seen: Set<FileReference> = []
        return all.filter { seen.insert($0.file).inserted }
    }
}

extension AssetDetails.Revision {
    init(_ record: RenditionRecord, shownAt path: RelativePath?) {
        let key = record.key
        self.init(
            key: key, recipe: record.recipe, engine: record.engine, shownAt: path, degraded: record.degraded,
            photo: .init(kind: .photo, record.photo, at: LibraryLayout.photo(key)),
            preview: record.preview.map { .init(kind: .preview, $0, at: LibraryLayout.preview(key)) })
    }
}

extension AssetDetails.Resource {
    fileprivate init(kind: Kind, _ file: FileRecord, at path: RelativePath) {
        self.init(
            kind: kind, file: FileReference(root: .library, path: path), digest: file.digest,
            sizeBytes: file.sizeBytes, size: file.size)
    }
}
