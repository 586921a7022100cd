public import Digest
public import Jobs
public import LibraryTables
public import Manifests
public import PictureFormat

/// One photograph with all files and edits in the library.
@dynamicMemberLookup
public struct AssetDetails: Hashable, Sendable {
    /// A file that belongs to an asset.
    public struct Resource: Hashable, Sendable {
        /// A kind of file. The raw value is for programs.
        public enum Kind: String, Hashable, Sendable {
            /// A rendition in full size.
            case photo
            /// A rendition in display size.
            case preview
            /// The RAW: the source, or its copy in the library.
            case alternatePhoto
            /// The camera's JPEG.
            case cameraPhoto
            /// An adopted rendition that a user edited in `photos/`.
            case editedPhoto
            /// A sidecar, camera JPEG, sound or video copied into the library with the RAW.
            case companion
        }

        /// The kind of file.
        public let kind: Kind
        /// The file's location; in the root `library` for the library's files.
        public let file: FileReference
        /// SHA-256 of the file's bytes; nil if not read.
        public let digest: SHA256Value?
        /// The file's length in bytes.
        public let sizeBytes: UInt64
        /// Width and height in pixels, if known.
        public let size: PixelSize?
    }

    /// One rendered edit of the asset.
    public struct Revision: Hashable, Sendable {
        /// Names the rendition's files.
        public let key: RenditionKey
        /// The edit.
        public let recipe: RecipeRecord
        /// The version of the engine that rendered it.
        public let engine: UInt32
        /// The path below the library's folder; nil for an older revision of its look.
        public let shownAt: RelativePath?
        /// The first-choice name if a user's file has it; nil otherwise.
        public let occupied: RelativePath?
        /// Why it is degraded; nil otherwise.
        public let degraded: String?
        /// The lens correction, or why there is none; nil if none was requested.
        public let lens: String?
        /// The full-size file.
        public let photo: Resource
        /// The display-size file; nil if it is lost.
        public let preview: Resource?
    }

    /// A shown photo with its history.
    public struct ShownPhoto: Hashable, Sendable {
        /// The path below the library's folder.
        public let path: RelativePath
        /// The history, with keys of `revisions`.
        public let history: PhotoHistory
    }

    /// SHA-256 of the RAW's bytes.
    public let asset: SHA256Value
    /// The frame's index within the RAW, from 0.
    public let frame: UInt32
    /// The facts of the first of `revisions`.
    public let facts: PhotoFacts
    /// RAWs, camera JPEGs and adopted edits. Photos and previews are in `revisions`.
    public let sources: [Resource]
    /// All revisions: shown ones first, then ordered by look and key.
    public let revisions: [Revision]
    /// The shown photos of the photograph, ordered by path.
    public let photos: [ShownPhoto]

    /// One of the facts.
    public subscript<Value>(dynamicMember fact: KeyPath<PhotoFacts, Value>) -> Value { facts[keyPath: fact] }

    /// All files of the asset.
    public var resources: [Resource] {
        revisions.flatMap { [$0.photo] + ($0.preview.map { [$0] } ?? []) } + sources
    }
}

extension AssetDetails {
    /// - Parameters:
    ///   - records: the renditions of one frame; returns nil without any.
    ///   - shown: paths in `photos/` by key.
    ///   - occupied: names of users' files, by the paths that photos have instead.
    ///   - copy: the library's copy of the RAW.
    ///   - copyAt: the copy's path in `photos/`.
    ///   - edits: edits of all frames.
    ///   - seen: the RAW at all its paths.
    ///   - photos: the shown photos of the frame.
    init?(
        _ records: [RenditionRecord], shown: [RenditionKey: RelativePath],
        occupied: [RelativePath: RelativePath], copy: OriginalCopy?, copyAt: RelativePath?, edits: [AdoptedEdit],
        seen: [FileStamp], photos: [ShownPhoto]
    ) {
        let ordered = records.sorted { a, b in
            let isShown = (shown[a.key] != nil, shown[b.key] != nil)
            if isShown.0 != isShown.1 { return isShown.0 }
            return (a.recipe.look, a.key.digest) < (b.recipe.look, b.key.digest)
        }
        guard let first = ordered.first else { return nil }
        self.init(
            asset: first.asset, frame: first.frame, facts: first.facts,
            sources: Self.sources(ordered, copy: copy, copyAt: copyAt, seen: seen)
                + edits.filter { $0.frame == first.frame }.map { edit in
                    Resource(
                        kind: edit.isCompanion ? .companion : .editedPhoto,
                        file: FileReference(root: .library, path: edit.path), digest: edit.digest,
                        sizeBytes: edit.sizeBytes, size: nil)
                },
            revisions: ordered.map { record in
                Revision(record, shownAt: shown[record.key], occupied: shown[record.key].flatMap { occupied[$0] })
            }, photos: photos.sorted { $0.path < $1.path })
    }

    private static func sources(
        _ records: [RenditionRecord], copy: OriginalCopy?, copyAt: RelativePath?, seen: [FileStamp]
    ) -> [Resource] {
        var all: [Resource] = []
        if let copy {
            all.append(
                Resource(
                    kind: .alternatePhoto, file: FileReference(root: .library, path: copyAt ?? copy.path),
                    digest: copy.asset, sizeBytes: copy.sizeBytes, size: nil))
        }
        for original in records.map(\.original) + seen {
            all.append(
                Resource(
                    kind: .alternatePhoto, file: original.file, digest: records.first?.asset,
                    sizeBytes: original.sizeBytes, size: nil))
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
    fileprivate init(_ record: RenditionRecord, shownAt path: RelativePath?, occupied: RelativePath?) {
        let key = record.key
        self.init(
            key: key, recipe: record.recipe, engine: record.engine, shownAt: path, occupied: occupied,
            degraded: record.degraded, lens: record.lens,
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
