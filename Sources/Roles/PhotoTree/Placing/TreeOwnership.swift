internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PictureFormat
internal import Storage

/// Distinguishes Rawmill's files in `photos/` from users' files.
///
/// A file is Rawmill's if it is the recorded one with unchanged times, or if it has the bytes written there or those of
/// a photo in `objects/`, so that removing it loses nothing. All others are users' files: foreign files and edited
/// photos.
///
/// Tables from a backup may be older than the file. Then only `objects/` identifies it: a file with such bytes gives
/// way to the photo that needs its name.
struct TreeOwnership {
    private let placed: PlacedTable
    private let people: PeopleTable
    private let entries: TreeTable
    private let renditions: RenditionTable
    private let root: Root
    private let metadata: BlockingMetadataReader

    init(_ tables: LibraryTables, root: Root, metadata: BlockingMetadataReader) {
        self.root = root
        self.metadata = metadata
        placed = tables.placed
        people = tables.people
        entries = tables.entries
        renditions = tables.renditions
    }

    func placedFile(at path: RelativePath) throws -> PlacedFile? { try placed.file(at: path) }

    func isPeoples(_ path: RelativePath) throws -> Bool { try people.contains(path) }

    /// True if the file may be replaced or removed.
    ///
    /// - Parameter wanted: SHA-256 of the file for this name, which a process that died may have put there; nil without
    ///   one.
    func isOurs(_ found: FoundFile, at path: RelativePath, wanted: SHA256Value?) throws -> Bool {
        if try people.contains(path) { return false }
        let noted = try placed.file(at: path)
        if let noted, noted.matches(found.facts) { return true }
        guard let digest = try found.digestIfReadable() else { return false }
        if digest == noted?.digest || digest == wanted { return true }
        let isKnown = try entries.assets(at: path).contains { asset in
            try asset == digest || renditions.contains(photo: digest, of: asset)
        }
        // A user's copy of a photo belongs to the user.
        return try isKnown || wanted != nil && isObject(digest, at: path)
    }

    /// True if `objects/` has a file that the tables lack: a RAW by its hash, a photo by its XMP.
    private func isObject(_ digest: SHA256Value, at path: RelativePath) throws -> Bool {
        let parts = String(decoding: path.name, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let fileExtension = parts.last.map(String.init) else { return false }
        let original = LibraryLayout.original(digest, fileExtension: fileExtension)
        if try root.factsIfPresent(of: original.bytes) != nil { return true }
        // An unreadable file counts as a user's.
        guard let format = PhotoFormat(fileExtension: fileExtension),
            case .identity(let identity) = (try? metadata.read([MetadataRequest(.identity, about: path, in: root)]))?
                .first,
            let key = SHA256Value(hex: identity.key), let asset = SHA256Value(hex: identity.asset)
        else { return false }
        let rendition = RenditionKey(digest: key, format: format)
        let object = LibraryLayout.photo(rendition)
        // The tables place the photo elsewhere, so this file is a copy.
        guard try !renditions.contains(RenditionID(asset: asset, key: rendition)),
            try root.factsIfPresent(of: object.bytes) != nil
        else { return false }
        return try root.digest(of: object.bytes).digest == digest
    }
}
