internal import Digest
public import Jobs
public import LibraryTables
internal import Storage

/// The result for one name in `photos/`.
public enum LinkUpdate: Hashable, Sendable {
    /// The name has its row's photo.
    case linked(RelativePath)
    /// No row has the name, and its file is removed.
    case removed(RelativePath)
    /// The row's object is missing. Nothing was changed.
    case objectMissing(RelativePath)
    /// A user's file has the name and keeps it: a foreign file or an edited photo. The photo gets another name, whose
    /// update follows.
    case occupied(RelativePath)
    /// No row has the name, and a user's file stays there. The name now belongs to the user.
    case kept(RelativePath)
    /// The file system refuses the name, or something else has it. Nothing was changed, and later attempts fail too
    /// until a user removes the obstacle.
    case refused(RelativePath, cause: String)
}

/// Updates the files in `photos/` after their rows.
///
/// A transaction writes rows and records their names; the files are updated after its commit. If the process dies in
/// between, the names are still recorded, and repeating the update is harmless. So `photos/` never shows a file without
/// a row, and the next start completes it.
///
/// Never replaces or removes users' files and edited photos, see `TreeOwnership`. Functions throw `LibraryError`.
public struct LinkUpdater {
    private let root: Root
    private let database: LibraryDatabase
    private let pending: PendingLinkTable
    private let placed: PlacedTable
    private let people: PeopleTable
    private let tree: PhotoTree
    private let ownership: TreeOwnership
    private let notes = PlacementNotes()
    private let early = EarlyPhotos()

    init(root: Root, _ tables: LibraryTables, tree: PhotoTree, ownership: TreeOwnership) {
        self.root = root
        self.tree = tree
        self.ownership = ownership
        database = tables.database
        pending = tables.pendingLinks
        placed = tables.placed
        people = tables.people
    }

    private static let pageSize = 1024
    /// Files that are made durable together and kept open until then.
    private let groupSize = Self.groupSize(openFiles: OpenFileLimit.current)

    /// - Parameter openFiles: the process's limit, three quarters of which are left for other uses.
    static func groupSize(openFiles: Int) -> Int { min(1024, max(1, openFiles / 4)) }

    /// Starts writing photos for names that this transaction changes. `updatePending` names them after the commit;
    /// otherwise they are removed.
    func prepare(_ links: [PendingLink]) {
        early.begin(Array(links.prefix(groupSize)), in: root)
    }

    /// Updates all recorded names: photos first, then removals, so that a renamed photo is never missing. The folders
    /// are durable on return. Names stay recorded until `clearPending`. A photo whose name a user's file has gets
    /// another name in a separate transaction.
    ///
    /// - Parameters:
    ///   - shown: the files after the last transaction, if nothing changed since.
    ///   - onUpdate: called for each name. Its error ends the update; the other names stay recorded.
    /// - Throws: `LibraryError`; errors of `onUpdate`.
    public func updatePending(
        after shown: ShownPhotos? = nil, _ onUpdate: (LinkUpdate) throws -> Void = { _ in }
    ) throws {
        try updatePending(known: shown?.changes ?? [:], always: [], onUpdate)
    }

    /// - Parameter always: names to write even if their records match.
    private func updatePending(
        known: [RelativePath: PendingLink], always: Set<RelativePath>, _ onUpdate: (LinkUpdate) throws -> Void
    ) throws {
        try LibraryError.wrapping(database.folder) {
            notes.removeAll()
            defer { early.drop() }
            var placer = PhotoPlacer(root: root, ownership: ownership)
            var round: Round
            var known = known
            repeat {
                round = try placeAll(known, with: &placer, always: always, onUpdate)
                // Some names change.
                known.removeAll()
                if round.occupied.isEmpty { break }
                try database.transaction {
                    for path in round.occupied {
                        try people.insert(path)
                        try tree.leave(path)
                    }
                }
            } while true
            if round.hasOthers {
                let kept = try withdrawAll(with: &placer, onUpdate)
                if !kept.isEmpty { try database.transaction { for path in kept { try people.insert(path) } } }
            }
            try placer.sync()
        }
    }

    /// Deletes the recorded names after `updatePending`, and records the new files. Call it in the next transaction,
    /// which saves a commit.
    public func clearPending() throws {
        try pending.removeAll()
        // Last, so that PostgreSQL writes these rows while the next ones are prepared.
        try placed.set(notes.files)
    }

    /// Whether names are recorded whose files may not match their rows.
    public var hasPending: Bool { get throws { try !pending.isEmpty } }

    /// Updates these names and all recorded ones, in separate transactions. A name without a row is removed if its file
    /// is Rawmill's.
    ///
    /// - Parameter always: writes files even if their records match.
    package func update(_ paths: [RelativePath], always: Bool = false) throws -> [LinkUpdate] {
        var updates: [LinkUpdate] = []
        try database.transaction { for path in paths { try pending.insert(path) } }
        try updatePending(known: [:], always: always ? Set(paths) : []) { updates.append($0) }
        try database.transaction { try clearPending() }
        return updates
    }

    // MARK: Placing

    private struct Round {
        /// Names of users' files.
        var occupied: [RelativePath] = []
        /// True if some names have no photo: no row has them, or the row's copy is lost.
        var hasOthers = false
    }

    private func placeAll(
        _ known: [RelativePath: PendingLink], with placer: inout PhotoPlacer, always: Set<RelativePath>,
        _ onUpdate: (LinkUpdate) throws -> Void
    ) throws -> Round {
        var round = Round()
        var last: RelativePath?
        while true {
            let page = try pending.page(after: last, limit: Self.pageSize, known: known)
            guard let end = page.last else { return round }
            last = end.path
            round.hasOthers = round.hasOthers || page.contains { $0.object == nil }
            for start in stride(from: 0, to: page.count, by: groupSize) {
                let group = page[start..<min(start + groupSize, page.count)]
                let staged = try stage(group, with: &placer, always: always, onUpdate)
                try StagedFile.sync(staged.map(\.file))
                for (photo, file) in zip(staged, placer.placeFree(staged)) {
                    let update = try file.map { shown($0, at: photo.path) } ?? place(photo, with: &placer)
                    if case .occupied(let path) = update { round.occupied.append(path) }
                    try onUpdate(update)
                }
            }
        }
    }

    private func stage(
        _ page: ArraySlice<PendingLink>, with placer: inout PhotoPlacer, always: Set<RelativePath>,
        _ onUpdate: (LinkUpdate) throws -> Void
    ) throws -> [StagedPhoto] {
        // An earlier round has placed most of them.
        let links = page.filter { $0.object != nil && $0.digest != notes.digest(at: $0.path) }
        var staged: [StagedPhoto] = []
        for (link, photo) in zip(links, stageFree(links)) {
            if let photo {
                staged.append(photo)
                continue
            }
            guard let object = link.object, let digest = link.digest else { continue }
            do {
                let step = try placer.stage(
                    object, digest, isRaw: link.isRaw, at: link.path, always: always.contains(link.path))
                switch step {
                case .place(let photo): staged.append(photo)
                case .shown(let file): try onUpdate(shown(file, at: link.path))
                }
            } catch let error as StorageError {
                try onUpdate(try failure(at: link.path, object, error))
            }
        }
        return staged
    }

    /// Photos for free names, written early or now.
    private func stageFree(_ links: [PendingLink]) -> [StagedPhoto?] {
        let early = links.map(early.take)
        let others = zip(links, early).compactMap { link, photo in photo == nil ? link : nil }
        var staged = FreeNames.stage(others, in: root).makeIterator()
        return early.map { photo in photo ?? staged.next().flatMap(\.self) }
    }

    private func place(_ photo: StagedPhoto, with placer: inout PhotoPlacer) throws -> LinkUpdate {
        do {
            guard let file = try placer.place(photo) else { return .occupied(photo.path) }
            return shown(file, at: photo.path)
        } catch let error as StorageError {
            return try Self.refusal(of: photo.path, error)
        }
    }

    private func shown(_ file: PlacedFile, at path: RelativePath) -> LinkUpdate {
        notes.set(file, at: path)
        return .linked(path)
    }

    private func failure(at path: RelativePath, _ object: RelativePath, _ error: StorageError) throws -> LinkUpdate {
        if error.kind == .notFound, try root.factsIfPresent(of: object.bytes) == nil { return .objectMissing(path) }
        return try Self.refusal(of: path, error)
    }

    // MARK: Withdrawing

    /// - Returns: names where a user's file stays.
    private func withdrawAll(
        with placer: inout PhotoPlacer, _ onUpdate: (LinkUpdate) throws -> Void
    ) throws -> [RelativePath] {
        var kept: [RelativePath] = []
        var last: RelativePath?
        while true {
            let page = try pending.page(after: last, limit: Self.pageSize, withoutRow: true)
            guard let end = page.last else { return kept }
            last = end.path
            for link in page {
                let update = try withdraw(link.path, with: &placer)
                if case .kept(let path) = update { kept.append(path) }
                try onUpdate(update)
            }
        }
    }

    private func withdraw(_ path: RelativePath, with placer: inout PhotoPlacer) throws -> LinkUpdate {
        do {
            let isRemoved = try placer.withdraw(path)
            notes.set(nil, at: path)
            return isRemoved ? .removed(path) : .kept(path)
        } catch let error as StorageError {
            return try Self.refusal(of: path, error)
        }
    }

    /// Turns an error of this name alone into an update, so that the others continue. Throws an error of the whole
    /// storage.
    private static func refusal(of path: RelativePath, _ error: StorageError) throws -> LinkUpdate {
        switch error.kind {
        case .badPath, .exists, .wrongKind: return .refused(path, cause: error.cause)
        default: throw error
        }
    }
}

/// Files put into `photos/` since the last commit. A rollback keeps them for the retried transaction.
private final class PlacementNotes {
    /// Nil for a released name.
    private(set) var files: [RelativePath: PlacedFile?] = [:]

    func set(_ file: PlacedFile?, at path: RelativePath) { files[path] = .some(file) }

    func digest(at path: RelativePath) -> SHA256Value? { files[path].flatMap { $0?.digest } }

    func removeAll() { files.removeAll() }
}
