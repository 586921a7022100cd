internal import Concurrency
internal import Digest
internal import Jobs
internal import Manifests
internal import Storage

/// A name below `photos/` that has to follow its row.
struct PendingLink: Hashable, Sendable {
    let path: RelativePath
    /// The object to show; nil if no row has the name any more.
    let object: RelativePath?
    /// SHA-256 of the object; nil if there is none.
    let digest: SHA256Value?
    /// True for the copy of a RAW.
    let isRaw: Bool
}

/// Puts photos under their names in many folders, and makes them durable once for each folder.
///
/// A photo is a file of its own, which shares its blocks with the object where the file system can, so that no program that
/// writes to it reaches the object. A RAW that cannot share blocks is a read-only further name of its object, because
/// archives of RAWs are too large to be kept twice.
struct PhotoPlacer {
    private let root: Root
    private let ownership: TreeOwnership
    /// Folders that have changed since the last `sync`.
    private var changed: Set<[UInt8]> = []
    /// The folder of the last name, because names come folder by folder.
    private var lastFolder: OpenFolder?

    init(root: Root, ownership: TreeOwnership) {
        self.root = root
        self.ownership = ownership
    }

    /// A photo that is written and has no name yet.
    struct StagedPhoto: Sendable {
        let path: RelativePath
        let digest: SHA256Value
        let file: StagedFile
        fileprivate let folder: OpenFolder
    }

    /// What there is to do for a name.
    enum Step {
        /// Nothing: the name has the photo already.
        case shown(PlacedFile)
        case place(StagedPhoto)
    }

    /// Writes a photo that is to get a name, unless the name has it already.
    ///
    /// - Parameter always: writes it even if the notes say that the name has it.
    mutating func stage(
        _ object: RelativePath, _ digest: SHA256Value, isRaw: Bool, at path: RelativePath, always: Bool
    ) throws -> Step {
        let folder = try openFolder(path.folder?.bytes ?? [])
        if !always, let shown = try shown(object, digest, isRaw: isRaw, at: path) { return .shown(shown) }
        let file = try Self.stagedFile(object, isRaw: isRaw, at: path, in: root, for: folder)
        return .place(StagedPhoto(path: path, digest: digest, file: file, folder: folder))
    }

    private static func stagedFile(
        _ object: RelativePath, isRaw: Bool, at path: RelativePath, in root: Root, for folder: OpenFolder
    ) throws(StorageError) -> StagedFile {
        isRaw
            ? try StagedFile(linking: object.bytes, in: root, for: folder, at: path.bytes)
            : try StagedFile(copyOf: object.bytes, in: root, for: folder, at: path.bytes)
    }

    // MARK: Free names

    /// Writes photos whose names are free, several at a time: a disk copies while another file is opened, and a network's file
    /// system answers many at once.
    ///
    /// - Returns: for each name its photo; nil where there is something else to do, or an error to be told of: `stage` finds it.
    mutating func stageFree(_ links: [PendingLink]) -> [StagedPhoto?] {
        let folders = links.map { try? openFolder($0.path.folder?.bytes ?? []) }
        let root = root
        return Parallel.map(links.count, threads: Self.threadCount) { index in
            let link = links[index]
            guard let object = link.object, let digest = link.digest, let folder = folders[index],
                case .some(.none) = try? root.found(at: link.path.bytes),
                let file = try? Self.stagedFile(object, isRaw: link.isRaw, at: link.path, in: root, for: folder)
            else { return nil }
            return StagedPhoto(path: link.path, digest: digest, file: file, folder: folder)
        }
    }

    /// Gives photos their names where these are free, several at a time.
    ///
    /// - Returns: for each photo what its name has now; nil where `place` has to look at the name.
    mutating func placeFree(_ photos: [StagedPhoto]) -> [PlacedFile?] {
        for photo in photos { changed.insert(photo.folder.path) }
        let root = root
        return Parallel.map(photos.count, threads: Self.threadCount) { index in
            let photo = photos[index]
            guard let facts = try? root.placeIfFree(photo.file, at: photo.path.bytes, in: photo.folder) else {
                return nil
            }
            return PlacedFile(digest: photo.digest, facts)
        }
    }

    /// More gain nothing on a disk of the machine.
    private static let threadCount = 4

    /// The file that shows the object under the name; nil if there is none, or if it is the object itself and ought to be
    /// a file of its own.
    private func shown(
        _ object: RelativePath, _ digest: SHA256Value, isRaw: Bool, at path: RelativePath
    ) throws -> PlacedFile? {
        guard let found = try root.found(at: path.bytes), found.facts.kind == .file else { return nil }
        let shown = PlacedFile(digest: digest, found.facts)
        if try root.facts(of: object.bytes).id == found.facts.id { return isRaw ? shown : nil }
        let noted = try ownership.placedFile(at: path)
        if let noted, noted.matches(found.facts) { return noted.digest == digest ? shown : nil }
        guard try !ownership.isPeoples(path) else { return nil }
        return found.digest() == digest ? shown : nil
    }

    /// Gives a photo its name, in the place of a file that is ours.
    ///
    /// - Returns: what the name has now; nil if a person's file has it.
    mutating func place(_ photo: StagedPhoto) throws -> PlacedFile? {
        changed.insert(photo.folder.path)
        let placement = try root.place(photo.file, at: photo.path.bytes, in: photo.folder) { found in
            try ownership.isOurs(found, at: photo.path, wanted: photo.digest)
        }
        guard case .placed(let facts) = placement else { return nil }
        return PlacedFile(digest: photo.digest, facts)
    }

    /// Removes a file that is ours, and the folders that are empty without it.
    ///
    /// - Returns: false if a person's file has the name.
    mutating func withdraw(_ path: RelativePath) throws -> Bool {
        lastFolder = nil
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

    /// Returns when all changes survive a power cut.
    mutating func sync() throws {
        try root.syncFolders(changed)
        changed.removeAll()
    }

    private mutating func openFolder(_ folder: [UInt8]) throws(StorageError) -> OpenFolder {
        if let lastFolder, lastFolder.path == folder { return lastFolder }
        let opened = try root.openFolder(folder)
        lastFolder = opened
        return opened
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
