public import Digest
public import Jobs
internal import Storage

/// The files that a removal removes.
public struct RemovalPlan: Hashable, Sendable {
    /// A photo: one rendition with its preview.
    public struct Photo: Hashable, Sendable {
        /// Identifies the rendition's files.
        public let key: RenditionKey
        /// SHA-256 of the RAW's bytes.
        public let asset: SHA256Value
        /// The paths in `photos/`; empty for a superseded edit.
        public let shownAt: [RelativePath]
        /// Bytes of the photo and its preview.
        public let sizeBytes: UInt64
    }

    /// A RAW's copy in the library.
    public struct Original: Hashable, Sendable {
        /// SHA-256 of its bytes.
        public let asset: SHA256Value
        /// The paths in `photos/`.
        public let shownAt: [RelativePath]
        /// The copy's length in bytes.
        public let sizeBytes: UInt64
    }

    /// The photos to remove.
    public internal(set) var photos: [Photo] = []
    /// The copies of RAWs to remove with their last photos.
    public internal(set) var originals: [Original] = []
    /// RAWs that exist only in the library. They and their photos stay.
    public internal(set) var kept: [Original] = []

    /// Bytes of all files to remove in `objects/` and of previews.
    public var sizeBytes: UInt64 {
        photos.reduce(0) { $0 + $1.sizeBytes } + originals.reduce(0) { $0 + $1.sizeBytes }
    }
}

/// A step after which a removal may die, for tests.
enum RemovalStep: Hashable {
    case rowsWritten, committed, linksUpdated
    case fileDeleted(RelativePath)
    case filesDeleted
}
