public import Digest
public import Jobs
internal import Manifests
public import MetadataHost
internal import Records
public import Storage

/// A library: its database, and the folder that the database describes.
///
/// One process writes, and holds the lock `.rawmill/catalogue.lock` while the store is open. Others read at the same
/// time and see whole transactions. Each table and each kind of query is a type of its own; they exchange values with
/// their callers, and share one connection. Not thread-safe: used by one thread at a time.
public final class LibraryStore {
    /// What a store is opened for.
    public enum Mode: Hashable, Sendable {
        /// Reads and writes; makes a library where there is none.
        case write
        /// Reads and writes a library that is there. The folder of a mount that is missing is none.
        case change
        /// As `write`, beside others who share it. A library in a file has one writer all the same.
        case share
        /// As `change`, also while others share a library on a server; takes no share of their work. For changes that are done
        /// in a moment.
        case visit
        case read
    }

    /// The library's folder; every path of the library is below it.
    public let root: Root
    /// The folder's path as the caller gave it, for people.
    public var folder: String { root.path }

    /// How far each topic has been consumed.
    public let offsets: OffsetTable
    /// What is said about manifests, on its way to the coordinator.
    public let results: ResultTable
    /// Sources that were moved into the library and still have to be removed.
    public let removals: RemovalTable
    /// Assets with all their files and edits.
    public let assets: AssetQueries
    /// The photos that `photos/` shows.
    public let photos: PhotoQueries
    /// Photographs in an order that people gave them.
    public let albums: Albums
    /// What the rows say of the library's files.
    public let files: FileQueries
    /// Photos that people took out of the library.
    public let removed: RemovedTable
    /// The content as text, for comparing libraries.
    public let content: ContentDump
    /// Makes the files below `photos/` follow their rows.
    public let links: LinkUpdater

    /// What photos took to render.
    public let renderTimes: RenderTimeTable

    let renditions: RenditionTable
    let revisions: RevisionTable
    let histories: HistoryReader
    let lookup: PhotoLookup
    let copies: OriginalCopyTable
    let entries: TreeTable
    let tree: PhotoTree
    let pendingLinks: PendingLinkTable
    let placed: PlacedTable
    let sightings: SightingTable
    let people: PeopleTable
    /// Reads what photos say of themselves.
    let metadata: BlockingMetadataReader
    private let database: LibraryDatabase
    private let lock: LibraryLock?
    private let merger: RenditionMerger

    /// Opens the library in the folder. For writing, creates it if there is none.
    ///
    /// - Parameters:
    ///   - metadataProgram: path of the program that reads the metadata of photos where a merge has to, see
    ///     `MetadataProcess`.
    ///   - finder: of stores of this library that share one.
    /// - Throws: `LibraryError`.
    public convenience init(
        folder: String, mode: Mode, metadataProgram: String = MetadataProcess.program,
        finder: RenditionFinder = RenditionFinder()
    ) throws {
        let (root, lock) = try LibraryError.wrapping(folder) {
            let creates = mode == .write || mode == .share
            let root = try Root(library: folder, creating: creates)
            if !creates, try LibraryLocation(root) == nil {
                throw LibraryError.notALibrary(folder: folder)
            }
            let isShared = mode == .share || mode == .visit
            let lock = mode == .read ? nil : try LibraryLock(root, isShared: isShared, isGuest: mode == .visit)
            if mode != .read { _ = try root.makeIdentity(at: Array(LibraryLayout.identity.utf8)) }
            return (root, lock)
        }
        try self.init(
            root: root, database: LibraryDatabase(folder: folder, mode: mode, lock: lock),
            lock: lock,
            metadataProgram: metadataProgram, finder: finder)
    }

    /// Opens the library for writing with a lock that the caller holds already.
    ///
    /// - Throws: `LibraryError`.
    convenience init(folder: String, lock: LibraryLock) throws {
        let root = try LibraryError.wrapping(folder) { try Root(library: folder, creating: true) }
        try self.init(root: root, database: LibraryDatabase(folder: folder, mode: .write, lock: lock), lock: lock)
    }

    /// A store over a database that is open.
    ///
    /// - Parameter lock: needed for writing.
    init(
        root: Root, database: LibraryDatabase, lock: LibraryLock?,
        metadataProgram: String = MetadataProcess.program, finder: RenditionFinder = RenditionFinder()
    ) throws {
        self.root = root
        self.database = database
        self.lock = lock
        offsets = OffsetTable(database)
        removals = RemovalTable(database)
        results = ResultTable(database)
        renderTimes = RenderTimeTable(database)
        renditions = RenditionTable(database, finder: finder)
        revisions = RevisionTable(database)
        copies = try OriginalCopyTable(database)
        pendingLinks = PendingLinkTable(database)
        placed = PlacedTable(database)
        sightings = SightingTable(database)
        people = PeopleTable(database)
        entries = TreeTable(database)
        tree = PhotoTree(
            entries: entries, renditions: renditions, copies: copies, sightings: sightings, people: people,
            pending: pendingLinks, placed: placed)
        histories = HistoryReader(revisions: revisions, renditions: renditions, tree: tree)
        removed = try RemovedTable(database)
        // A transaction may wait for it.
        metadata = BlockingMetadataReader(program: metadataProgram, library: root.path, deadline: .seconds(10))
        merger = RenditionMerger(
            root: root, renditions: renditions, copies: copies, tree: tree, removed: removed,
            metadata: metadata)
        assets = AssetQueries(
            database, renditions: renditions, copies: copies, entries: entries, people: people,
            sightings: sightings, histories: histories)
        photos = PhotoQueries(database)
        lookup = PhotoLookup(tree: tree, assets: assets, renditions: renditions)
        albums = Albums(
            database, tree: tree, assets: assets, photos: photos, renditions: renditions)
        files = FileQueries(
            database, renditions: renditions, copies: copies, entries: entries, sightings: sightings,
            people: people)
        content = ContentDump(database)
        links = LinkUpdater(
            root: root, database: database, pending: pendingLinks, placed: placed, people: people, tree: tree,
            ownership: TreeOwnership(
                placed: placed, people: people, entries: entries, renditions: renditions, root: root, metadata: metadata
            ))
    }

    /// The library's identity; nil if it was only ever opened by versions that gave none.
    ///
    /// - Throws: `LibraryError`.
    public func identity() throws -> FolderIdentity? {
        try LibraryError.wrapping(folder) { try root.identity(at: Array(LibraryLayout.identity.utf8)) }
    }

    /// Runs `body` as one transaction. All of it is durable on return; nothing of it is written if it throws.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value { try database.transaction(body) }

    /// True if other processes may write to the library at the same time.
    public var isShared: Bool { database.isShared }

    /// The part of the work that is this process's, where several share it: its number from 0, and how many there are.
    ///
    /// - Throws: `LibraryError`.
    public func share() throws -> (number: Int, count: Int) {
        try LibraryError.wrapping(folder) { try lock?.share() ?? (0, 1) }
    }

    /// Runs `body` while no other process writes to the library: several transactions, and what is done to files between them.
    ///
    /// - Throws: `LibraryError`; what `body` throws.
    public func turn<Value>(_ body: () throws -> Value) throws -> Value {
        isShared ? try database.turn(body) : try body()
    }

    /// Takes a rendition into the library, within a transaction. Its file must be there: no row without its file.
    ///
    /// - Parameters:
    ///   - finished: the edit's precedence. Of two renditions of one look the one with the higher is shown.
    ///   - isHeld: the photo is not to be shown until a person chooses it, see `Job.isHeld`.
    ///   - reused: the hash that the photo's file had when it was taken instead of developing; nil for a photo that was
    ///     developed. Only a photo of which the library knows that hash is taken.
    /// - Throws: `MergeRefusal` before anything is written; `LibraryError`.
    public func merge(
        _ record: RenditionRecord, finished: Int64, isHeld: Bool = false, reused: SHA256Value? = nil
    ) throws -> RenditionMergeResult {
        try LibraryError.wrapping(folder) {
            try merger.merge(record, finished: finished, isHeld: isHeld, reused: reused)
        }
    }

    /// Takes those of several renditions into the library of which it is plain what they change, within a transaction, with a few
    /// statements for all of them.
    ///
    /// - Returns: for each what its merge did; nil where it has to be merged by itself, after these. And what `photos/` shows
    ///   of their assets then.
    /// - Throws: `LibraryError`.
    public func merge(
        plain candidates: [PlainMergeCandidate]
    ) throws -> (results: [RenditionMergeResult?], shown: ShownPhotos) {
        try LibraryError.wrapping(folder) {
            var merge = PlainMerge(
                root: root, renditions: renditions, entries: entries, sightings: sightings, removed: removed,
                pending: pendingLinks, links: links)
            return (try merge.merge(candidates), merge.shownPhotos)
        }
    }

    /// Takes a RAW's copy into the library, within the transaction of its renditions, after them.
    ///
    /// - Returns: false if the library had the copy already.
    /// - Throws: `MergeRefusal` if there is no such file; `LibraryError`.
    @discardableResult
    public func merge(_ copy: OriginalCopy) throws -> Bool {
        try LibraryError.wrapping(folder) { try merger.merge(copy) }
    }

    /// Notes that an asset's RAW was seen at a path, within the transaction of its renditions, after them. The asset's
    /// photos are shown for each path.
    ///
    /// - Parameter isGone: whether the RAW is no longer at another path where it was seen. Asked only if the asset is new
    ///   at this one; what is gone is forgotten, unless the library has the RAW's copy.
    /// - Throws: `LibraryError`.
    public func merge(_ sighting: Sighting, of asset: SHA256Value, isGone: (FileStamp) throws -> Bool) throws {
        try LibraryError.wrapping(folder) {
            guard try sightings.insert(sighting, of: asset) else { return }
            var gone: [FileStamp] = []
            if try copies.copy(of: asset) == nil {
                gone = try sightings.all(of: asset).map(\.raw).filter { $0.file != sighting.raw.file }.filter(isGone)
                try forget(gone.map(\.file), of: asset)
            }
            // One by one all paths of a RAW with thousands of copies would take hours.
            if gone.isEmpty { try tree.show(sighting, of: asset) } else { try tree.showEverywhere(asset) }
        }
    }

    /// Forgets paths that an asset's RAW has left, within a transaction, and tells the coordinator: what comes back there is to
    /// be merged again.
    func forget(_ files: [FileReference], of asset: SHA256Value) throws {
        if files.isEmpty { return }
        for file in files { try sightings.remove(file, of: asset) }
        let record = JobResults(
            results: [], cluster: PhotoRemover.noCluster, answered: [:], highestPrecedence: 0, forgotten: files)
        for bytes in record.records() { try results.insert(bytes) }
    }

    /// Notes a file that was copied below `photos/` with an asset's RAW, within a transaction. It is a person's own.
    ///
    /// - Throws: `LibraryError`.
    public func adoptCompanion(_ companion: AdoptedEdit) throws { try people.insert(companion) }

    /// Notes that such a file has another name now, within a transaction.
    ///
    /// - Throws: `LibraryError`.
    public func rename(_ companion: AdoptedEdit, to path: RelativePath) throws {
        try people.remove(companion.path)
        try people.insert(companion.at(path))
    }

    /// True if the asset's RAW was seen at the path.
    ///
    /// - Throws: `LibraryError`.
    public func hasSighting(of asset: SHA256Value, at file: FileReference) throws -> Bool {
        try sightings.sighting(of: asset, at: file) != nil
    }

    /// The names below `photos/` that a rendition's photo accepts, the best first.
    public func acceptableNames(of record: RenditionRecord) -> [RelativePath] { TreeNaming.photo(record).names }

    /// Counts by reading whole tables, which takes a second for a few million renditions.
    ///
    /// - Throws: `LibraryError`.
    public func counts() throws -> LibraryCounts { try LibraryCounts(database) }
}
