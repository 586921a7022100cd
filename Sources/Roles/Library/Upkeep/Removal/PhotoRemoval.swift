public import Digest
public import Jobs
internal import Storage

/// What a removal takes out of a library.
public struct RemovalPlan: Hashable, Sendable {
    /// A photo: one rendition with its preview.
    public struct Photo: Hashable, Sendable {
        /// Names its files.
        public let key: RenditionKey
        /// SHA-256 of the RAW's bytes.
        public let asset: SHA256Value
        /// The paths at which `photos/` shows it, below the library's folder; empty for an edit that a newer one hides.
        public let shownAt: [RelativePath]
        /// Bytes of the photo and its preview.
        public let sizeBytes: UInt64
    }

    /// A RAW's copy in the library.
    public struct Original: Hashable, Sendable {
        /// SHA-256 of its bytes.
        public let asset: SHA256Value
        /// The paths at which `photos/` shows it.
        public let shownAt: [RelativePath]
        /// Its length.
        public let sizeBytes: UInt64
    }

    /// The photos that go.
    public internal(set) var photos: [Photo] = []
    /// The RAWs' copies that go with the last photo of them.
    public internal(set) var originals: [Original] = []
    /// RAWs that are nowhere but in the library. They and their photos stay.
    public internal(set) var kept: [Original] = []

    /// Bytes of all files in `objects/` and of the previews that go.
    public var sizeBytes: UInt64 {
        photos.reduce(0) { $0 + $1.sizeBytes } + originals.reduce(0) { $0 + $1.sizeBytes }
    }
}

/// A moment at which a removal can die.
enum RemovalStep: Hashable {
    case rowsWritten, committed, linksUpdated
    case fileDeleted(RelativePath)
    case filesDeleted
}
