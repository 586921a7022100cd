internal import Digest
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import Storage

/// Puts photos under their names in many folders, and makes each folder durable once.
///
/// A photo is a separate file, so that no program writes to the object through it; it shares the object's blocks if the
/// file system can. A RAW that cannot share blocks is a read-only hard link, because RAW archives are too large to keep
/// twice.
struct PhotoPlacer {
    private let root: Root
    private let ownership: TreeOwnership
    /// Folders changed since the last `sync`.
    private var changed: Set<[UInt8]> = []
    private var folders: LastFolder

    init(root: Root, ownership: TreeOwnership) {
        self.root = root
        self.ownership = ownership
        folders = LastFolder(root)
    }

    enum Step {
        /// The name already shows the photo.
        case shown(PlacedFile)
        case place(StagedPhoto)
    }

    /// Writes a photo for a name, unless the name shows it already.
    ///
    /// - Parameter always: writes it even if the record says so.
    mutating func stage(
        _ object: RelativePath, _ digest: SHA256Value, isRaw: Bool, at path: RelativePath, always: Bool
    ) throws -> Step {
        let folder = try folders.open(above: path)
        if !always, let shown = try shown(object, digest, isRaw: isRaw, at: path) { return .shown(shown) }
        return .place(try StagedPhoto(of: object, digest, isRaw: isRaw, at: path, in: root, for: folder))
    }

    /// Gives photos their names where free, several at a time. Returns the file of each photo; nil for names left to
    /// `place`.
    mutating func placeFree(_ photos: [StagedPhoto]) -> [PlacedFile?] {
        for photo in photos { changed.insert(photo.folder.path) }
        return FreeNames.place(photos, in: root)
    }

    /// The file that shows the object under the name; nil without one, or if it is a hard link that should be a
    /// separate file.
    private func shown(
        _ object: RelativePath, _ digest: SHA256Value, isRaw: Bool, at path: RelativePath
    ) throws -> PlacedFile? {
        guard let found = try root.found(at: path.bytes), found.facts.kind == .file else { return nil }
        let shown = PlacedFile(digest: digest, found.facts)
        if try root.facts(of: object.bytes).id == found.facts.id { return isRaw ? shown : nil }
        let noted = try ownership.placedFile(at: path)
        if let noted, noted.matches(found.facts), let known = noted.digest { return known == digest ? shown : nil }
        guard try !ownership.isPeoples(path) else { return nil }
        return try found.digestIfReadable() == digest ? shown : nil
    }

    /// Gives a photo its name, replacing Rawmill's file. Returns the file; nil if a user's file has the name.
    mutating func place(_ photo: StagedPhoto) throws -> PlacedFile? {
        changed.insert(photo.folder.path)
        let placement = try root.place(photo.file, at: photo.path.bytes, in: photo.folder) { found in
            try ownership.isOurs(found, at: photo.path, wanted: photo.digest)
        }
        guard case .placed(let facts) = placement else { return nil }
        return PlacedFile(digest: photo.digest, facts)
    }

    /// Removes Rawmill's file, and folders that become empty. Returns false if a user's file has the name.
    mutating func withdraw(_ path: RelativePath) throws -> Bool {
        folders.close()
        guard try root.factsIfPresent(of: path.folder?.bytes ?? [])?.kind == .folder else { return true }
        let folder = try root.openFolder(path.folder?.bytes ?? [])
        let isRemoved = try root.withdraw(path.bytes, in: folder) { found in
            try ownership.isOurs(found, at: path, wanted: nil)
        }
        guard isRemoved else { return false }
        var above = path.folder
        while let folder = above, folder.bytes != Array(LibraryLayout.photos.utf8) {
            changed.remove(folder.bytes)
            guard try removeIfEmpty(folder.bytes) else {
                changed.insert(folder.bytes)
                return true
            }
            above = folder.folder
        }
        if let above { changed.insert(above.bytes) }
        return true
    }

    /// Makes all changes durable.
    mutating func sync() throws {
        try root.syncFolders(changed)
        changed.removeAll()
    }

    private func removeIfEmpty(_ folder: [UInt8]) throws -> Bool {
        do {
            try root.removeFolder(folder)
            return true
        } catch {
            guard error.kind == .exists else { throw error }
            return false
        }
    }
}
