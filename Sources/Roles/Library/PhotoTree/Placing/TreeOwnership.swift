internal import Digest
internal import Jobs
internal import Manifests
internal import MetadataHost
internal import PictureFormat
internal import Storage

/// Tells the files that Rawmill put below `photos/` from those of people.
///
/// A file is Rawmill's if it is the one that was noted and its times say that it was not touched since; or if its bytes
/// are those that were put there, or those of a photo that the library has in `objects/` anyway, so that nothing is lost
/// with it. Anything else is a person's: another program's file, or a photo that was edited.
///
/// The tables may be older than the file, where they were put back from a backup. What is known then is only what is in
/// `objects/`: a file with such bytes gives way to the photo whose name it has.
struct TreeOwnership {
    private let placed: PlacedTable
    private let people: PeopleTable
    private let entries: TreeTable
    private let renditions: RenditionTable
    private let root: Root
    private let metadata: BlockingMetadataReader

    init(
        placed: PlacedTable, people: PeopleTable, entries: TreeTable, renditions: RenditionTable, root: Root,
        metadata: BlockingMetadataReader
    ) {
        self.root = root
        self.metadata = metadata
        self.placed = placed
        self.people = people
        self.entries = entries
        self.renditions = renditions
    }

    /// What was put at the path last; nil if nothing was.
    func placedFile(at path: RelativePath) throws -> PlacedFile? { try placed.file(at: path) }

    /// True if the name is known to hold a person's file.
    func isPeoples(_ path: RelativePath) throws -> Bool { try people.contains(path) }

    /// True if the file may be replaced or removed.
    ///
    /// - Parameter wanted: SHA-256 of the file that is to get the name, which a process that died may have put there; nil
    ///   if none is.
    func isOurs(_ found: FoundFile, at path: RelativePath, wanted: SHA256Value?) throws -> Bool {
        if try people.contains(path) { return false }
        let noted = try placed.file(at: path)
        if let noted, noted.matches(found.facts) { return true }
        guard let digest = try found.digestIfReadable() else { return false }
        if digest == noted?.digest || digest == wanted { return true }
        let isKnown = try entries.assets(at: path).contains { asset in
            try asset == digest || renditions.contains(photo: digest, of: asset)
        }
        // A copy that a person made of a photo is theirs.
        return try isKnown || wanted != nil && isObject(digest, at: path)
    }

    /// True if `objects/` has the file, and the tables do not know it yet: a RAW by its hash, a photo by what it says of itself.
    private func isObject(_ digest: SHA256Value, at path: RelativePath) throws -> Bool {
        let parts = String(decoding: path.name, as: UTF8.self).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count > 1, let fileExtension = parts.last.map(String.init) else { return false }
        let original = LibraryLayout.original(digest, fileExtension: fileExtension)
        if try root.factsIfPresent(of: original.bytes) != nil { return true }
        // What cannot be asked is left alone, as a person's is.
        guard let format = PhotoFormat(fileExtension: fileExtension),
            case .identity(let identity) = (try? metadata.read([MetadataRequest(.identity, about: path, in: root)]))?
                .first,
            let key = SHA256Value(hex: identity.key), let asset = SHA256Value(hex: identity.asset)
        else { return false }
        let rendition = RenditionKey(digest: key, format: format)
        let object = LibraryLayout.photo(rendition)
        // Of a photo that the tables know they say where it belongs: here it is a copy.
        guard try !renditions.contains(RenditionID(asset: asset, key: rendition)),
            try root.factsIfPresent(of: object.bytes) != nil
        else { return false }
        return try root.digest(of: object.bytes).digest == digest
    }
}
