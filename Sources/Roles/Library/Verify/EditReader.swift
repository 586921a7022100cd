internal import Digest
internal import Jobs
internal import Manifests
internal import Metadata
internal import Storage

/// Recognises photos that a person edited: other bytes, but the XMP still names a rendition of this library.
struct EditReader {
    private let store: LibraryStore
    private let toolkit: XMPToolkit?

    init(store: LibraryStore) {
        self.store = store
        toolkit = try? XMPToolkit()
    }

    /// The edit in a file below `photos/`; nil for any other file.
    func edit(at path: RelativePath) throws -> AdoptedEdit? {
        guard let toolkit, let found = try store.root.found(at: path.bytes), found.facts.kind == .file,
            let prefix = try? store.root.prefix(of: path.bytes, byteCount: JPEGMetadata.prefixByteCount),
            let identity = try? toolkit.identity(fromJPEG: prefix), let key = SHA256Value(hex: identity.key),
            let asset = SHA256Value(hex: identity.asset), try store.renditions.contains(RenditionKey(digest: key)),
            let digest = found.digest(), try !store.renditions.contains(photo: digest, of: asset)
        else { return nil }
        return AdoptedEdit(
            path: path, asset: asset, frame: identity.frame, digest: digest, sizeBytes: found.facts.sizeBytes)
    }
}
