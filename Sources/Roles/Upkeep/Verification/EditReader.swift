internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
internal import Storage

/// Recognises photos that a user edited: other bytes, but an XMP that names a rendition of this library. Other programs
/// wrote them, so a process in the sandbox reads their XMP.
struct EditReader {
    private let store: LibraryStore
    private let metadata: MetadataReader
    private let onUnread: (RelativePath, String) -> Void

    /// - Parameter onUnread: called with each file whose metadata could not be read, and the cause.
    init(store: LibraryStore, metadata: MetadataReader, onUnread: @escaping (RelativePath, String) -> Void) {
        self.store = store
        self.metadata = metadata
        self.onUnread = onUnread
    }

    /// The edits among files in `photos/`. Throws `MetadataReaderError` if no process can be started.
    func edits(at paths: [RelativePath]) async throws -> [RelativePath: AdoptedEdit] {
        let files = try paths.filter { try store.root.found(at: $0.bytes)?.facts.kind == .file }
        var edits: [RelativePath: AdoptedEdit] = [:]
        for (path, answer) in zip(files, try await answers(about: files)) {
            switch answer {
            case .identity(let identity): edits[path] = try edit(at: path, identity)
            case .unread(let cause): onUnread(path, cause)
            case .nothing, .size, .sidecar, .picture: break
            }
        }
        return edits
    }

    private func answers(about files: [RelativePath]) async throws(MetadataReaderError) -> [MetadataAnswer] {
        try await metadata.read(files.map { MetadataRequest(.identity, about: $0, in: store.root) })
    }

    private func edit(at path: RelativePath, _ identity: RenditionIdentity) throws -> AdoptedEdit? {
        guard let key = SHA256Value(hex: identity.key), let asset = SHA256Value(hex: identity.asset),
            try store.tables.files.hasRendition(key, of: asset),
            let found = try store.root.found(at: path.bytes), let digest = try found.digestIfReadable(),
            try !store.tables.renditions.contains(photo: digest, of: asset)
        else { return nil }
        return AdoptedEdit(
            path: path, asset: asset, frame: identity.frame, digest: digest, sizeBytes: found.facts.sizeBytes)
    }
}
