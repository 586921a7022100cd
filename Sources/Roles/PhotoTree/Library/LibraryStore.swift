public import Digest
public import Jobs
public import LibraryTables
internal import Manifests
public import MetadataHost
internal import Records
public import Storage

/// A library: its tables and its folder.
///
/// Only one process writes; it holds the lock `.rawmill/catalogue.lock` while the store is open. Readers see whole
/// transactions. Not thread-safe. Functions throw `LibraryError`.
public final class LibraryStore {
    /// The library's folder; all paths of the library are below it.
    public let root: Root
    /// The folder's path as the caller passed it.
    public var folder: String { root.path }

    /// The library's tables.
    public let tables: LibraryTables
    /// Updates the files in `photos/` after their rows.
    public let links: LinkUpdater
    package let tree: PhotoTree
    package let histories: HistoryReader
    package let metadata: BlockingMetadataReader
    private let lock: LibraryLock?
    private let merger: RenditionMerger

    /// Opens the library. A mode for writing creates a missing one.
    ///
    /// - Parameters:
    ///   - metadataProgram: reads the metadata of photos during merges, see `MetadataProcess`.
    ///   - finder: shared by stores of this library.
    /// - Throws: `LibraryError`.
    public convenience init(
        folder: String, mode: LibraryMode, metadataProgram: String = MetadataProcess.program,
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

    /// Opens the library for writing with a lock that the caller holds.
    package convenience init(folder: String, lock: LibraryLock) throws {
        let root = try LibraryError.wrapping(folder) { try Root(library: folder, creating: true) }
        try self.init(root: root, database: LibraryDatabase(folder: folder, mode: .write, lock: lock), lock: lock)
    }

    /// A store over an open database.
    ///
    /// - Parameter lock: required for writing.
    package init(
        root: Root, database: LibraryDatabase, lock: LibraryLock?,
        metadataProgram: String = MetadataProcess.program, finder: RenditionFinder = RenditionFinder()
    ) throws {
        self.root = root
        self.lock = lock
        tables = try LibraryTables(database, finder: finder)
        tree = PhotoTree(tables)
        histories = HistoryReader(tables, tree: tree)
        // The deadline is short, because a transaction may wait for the reader.
        metadata = BlockingMetadataReader(program: metadataProgram, library: root.path, deadline: .seconds(10))
        merger = RenditionMerger(root: root, tables, tree: tree, metadata: metadata)
        links = LinkUpdater(
            root: root, tables, tree: tree, ownership: TreeOwnership(tables, root: root, metadata: metadata))
    }

    /// The library's identity; nil if only versions without identities have opened it.
    public func identity() throws -> FolderIdentity? {
        try LibraryError.wrapping(folder) { try root.identity(at: Array(LibraryLayout.identity.utf8)) }
    }

    /// Runs `body` as one transaction: all of it is durable on return, or nothing is written.
    ///
    /// - Throws: `LibraryError`; errors of `body`.
    public func transaction<Value>(_ body: () throws -> Value) throws -> Value { try tables.database.transaction(body) }

    /// Whether other processes may write to the library at the same time.
    public var isShared: Bool { tables.database.isShared }

    /// The number of this process, from 0, among those that share the work, and their count.
    public func share() throws -> (number: Int, count: Int) {
        try LibraryError.wrapping(folder) { try lock?.share() ?? (0, 1) }
    }

    /// Runs `body`, several transactions and changes of files, while no other process writes to the library.
    ///
    /// - Throws: `LibraryError`; errors of `body`.
    public func turn<Value>(_ body: () throws -> Value) throws -> Value {
        isShared ? try tables.database.turn(body) : try body()
    }

    /// Merges a rendition within a transaction. Its file must exist.
    ///
    /// - Parameters:
    ///   - finished: the order's precedence. `photos/` shows the rendition of a look with the highest.
    ///   - isHeld: hides the photo until a user chooses it, see `Job.isHeld`.
    ///   - reused: the hash of an existing photo file that was reused, which the library must know; nil for a rendered
    ///     photo.
    /// - Throws: `MergeRefusal` before anything is written; `LibraryError`.
    public func merge(
        _ record: RenditionRecord, finished: Int64, isHeld: Bool = false, reused: SHA256Value? = nil
    ) throws -> RenditionMergeResult {
        try LibraryError.wrapping(folder) {
            try merger.merge(record, finished: finished, isHeld: isHeld, reused: reused)
        }
    }

    /// Merges the simple ones of several renditions with a few statements, within a transaction; see `PlainMerge`.
    ///
    /// - Returns: the result for each candidate, nil for those to merge singly afterwards; and the shown photos of
    ///   their assets.
    public func merge(
        plain candidates: [PlainMergeCandidate]
    ) throws -> (results: [RenditionMergeResult?], shown: ShownPhotos) {
        try LibraryError.wrapping(folder) {
            var merge = PlainMerge(root: root, tables, links: links)
            return (try merge.merge(candidates), merge.shownPhotos)
        }
    }

    /// Merges a RAW's copy, within the transaction of its renditions and after them.
    ///
    /// - Returns: false if the library already has the copy.
    /// - Throws: `MergeRefusal` if the file is missing; `LibraryError`.
    @discardableResult
    public func merge(_ copy: OriginalCopy) throws -> Bool {
        try LibraryError.wrapping(folder) { try merger.merge(copy) }
    }

    /// Records that an asset's RAW was seen at a path, within the transaction of its renditions and after them.
    /// `photos/` shows the asset for each path.
    ///
    /// - Parameter isGone: whether the RAW has left another path; called only for a new path. Paths that the RAW has
    ///   left are removed, unless the library has the RAW's copy.
    public func merge(_ sighting: Sighting, of asset: SHA256Value, isGone: (FileStamp) throws -> Bool) throws {
        try LibraryError.wrapping(folder) {
            guard try tables.sightings.insert(sighting, of: asset) else { return }
            var gone: [FileStamp] = []
            if try tables.copies.copy(of: asset) == nil {
                gone = try tables.sightings.all(of: asset).map(\.raw).filter { $0.file != sighting.raw.file }.filter(
                    isGone)
                try forget(gone.map(\.file), of: asset)
            }
            // Updating every path of a RAW with thousands of copies each time would take hours.
            if gone.isEmpty { try tree.show(sighting, of: asset) } else { try tree.showEverywhere(asset) }
        }
    }

    /// The cluster of results that come from no cluster's manifests.
    package static let noCluster = "none"

    /// Removes paths that an asset's RAW has left, within a transaction, and reports them to the coordinator, so that a
    /// file that returns there is merged again.
    package func forget(_ files: [FileReference], of asset: SHA256Value) throws {
        if files.isEmpty { return }
        for file in files { try tables.sightings.remove(file, of: asset) }
        let record = JobResults(
            results: [], cluster: Self.noCluster, answered: [:], highestPrecedence: 0, forgotten: files)
        for bytes in record.records() { try tables.results.insert(bytes) }
    }

    /// Records a user's file that was copied to `photos/` with an asset's RAW, within a transaction.
    public func adoptCompanion(_ companion: AdoptedEdit) throws { try tables.people.insert(companion) }

    /// Records a new name of such a file, within a transaction.
    public func rename(_ companion: AdoptedEdit, to path: RelativePath) throws {
        try tables.people.remove(companion.path)
        try tables.people.insert(companion.at(path))
    }

    /// Whether the asset's RAW was seen at the path.
    public func hasSighting(of asset: SHA256Value, at file: FileReference) throws -> Bool {
        try tables.sightings.sighting(of: asset, at: file) != nil
    }

    /// The names in `photos/` that a rendition's photo accepts, the best first.
    public func acceptableNames(of record: RenditionRecord) -> [RelativePath] { TreeNaming.photo(record).names }

    /// Counts whole tables, which takes a second for a few million renditions.
    public func counts() throws -> LibraryCounts { try LibraryCounts(tables.database) }
}
