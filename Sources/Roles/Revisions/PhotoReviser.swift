public import Digest
public import Jobs
public import LibraryTables
internal import Manifests
public import PhotoTree
public import Selection
internal import Storage

/// Moves photos to other revisions, without rendering or removing anything. One transaction moves all photos, then
/// `photos/` is updated. If the process dies in between, the library's next writer updates `photos/`. Functions throw
/// `LibraryError`.
public final class PhotoReviser {
    private let store: LibraryStore

    /// Opens the library. Moving photos requires a mode for writing.
    public convenience init(library folder: String, mode: LibraryMode) throws {
        self.init(store: try LibraryStore(folder: folder, mode: mode))
    }

    /// Uses an open library.
    public init(store: LibraryStore) { self.store = store }

    /// A photo that `photos/` shows, with its history.
    public struct Photo: Hashable, Sendable {
        package let id: TreeEntryID
        /// Its path below the library's folder.
        public let path: RelativePath
        /// SHA-256 of the RAW's bytes.
        public var asset: SHA256Value { id.asset }
        /// The frame's index within the RAW, from 0.
        public var frame: UInt32 { id.frame }
        /// The recipe of the shown rendition.
        public let recipe: RecipeRecord
        /// The version of the engine that rendered it.
        public let engine: UInt32
        /// Every path of the RAW, and the library's copy.
        public let raws: [FileReference]
        /// Its revisions.
        public let history: PhotoHistory
    }

    /// The result for one photo.
    public struct Change: Hashable, Sendable {
        /// The photo before the move.
        public let before: Photo
        /// The photo after the move; equal to `before` if nothing changed.
        public let after: Photo

        /// False if the photo already showed that revision.
        public var isChange: Bool { before != after }
    }

    // MARK: Reading

    /// The photos with these names, each once.
    ///
    /// - Throws: `PhotoNameError`, `LibraryError`.
    public func photos(_ names: [AssetName]) throws -> [Photo] {
        try LibraryError.wrapping(store.folder) {
            var seen: Set<TreeEntryID> = []
            return try names.flatMap { try store.lookup.photos($0) }.filter { seen.insert($0).inserted }
                .compactMap { try photo($0) }
        }
    }

    /// The photos of a selection, each once.
    ///
    /// - Returns: nil if there are more than `limit`.
    public func photos(_ selection: Selection, limit: Int) throws -> [Photo]? {
        try LibraryError.wrapping(store.folder) {
            var filter = PhotoFilter()
            filter.selection = selection
            if try store.photos.count(filter) > limit { return nil }
            var ids: [TreeEntryID] = []
            try store.photos.eachRendition(selection) { id, _, _, _, _ in ids.append(id) }
            return try ids.compactMap { try photo($0) }
        }
    }

    /// The rendition of a photo's revision; nil if removed.
    public func rendition(_ revision: PhotoHistory.Revision, of photo: Photo) throws -> RenditionRecord? {
        try store.tables.renditions.record(RenditionID(asset: photo.asset, key: revision.key))
    }

    /// The rendition that a photo shows; nil if removed since.
    public func rendition(of photo: Photo) throws -> RenditionRecord? {
        try store.tree.current(photo.id).flatMap {
            try store.tables.renditions.record(RenditionID(asset: photo.asset, key: $0.key))
        }
    }

    /// The newest rendition of a photo with a recipe, if any.
    public func rendition(of photo: Photo, recipe: SHA256Value) throws -> RenditionRecord? {
        try rendition(of: photo) { $0.id == recipe }
    }

    /// The newest rendition of a photo with a matching recipe, if any.
    public func rendition(of photo: Photo, where fits: (RecipeRecord) -> Bool) throws -> RenditionRecord? {
        try store.tables.renditions.records(of: photo.asset).filter { $0.frame == photo.frame && fits($0.recipe) }
            .max { ($0.engine, $0.recipe.lookVersion) < ($1.engine, $1.recipe.lookVersion) }
    }

    private func photo(_ id: TreeEntryID) throws -> Photo? {
        guard let current = try store.tree.current(id),
            let record = try store.tables.renditions.record(RenditionID(asset: id.asset, key: current.key)),
            let history = try store.histories.history(of: id)
        else { return nil }
        let raws = try store.raws(of: id.asset, rendition: current.key)
        return Photo(
            id: id, path: current.path, recipe: record.recipe, engine: record.engine, raws: raws, history: history)
    }

    // MARK: Changing

    /// Moves photos along their histories in one transaction. A photo without such a revision stays.
    ///
    /// - Returns: one change for each photo.
    public func move(_ photos: [Photo], _ move: PhotoHistory.Move) throws -> [Change] {
        try change(photos) { photo in
            var history = photo.history
            guard let target = history.target(of: move) else { return nil }
            history.show(target)
            return history
        }
    }

    /// Shows existing renditions in one transaction. Each becomes the latest revision of its photo.
    ///
    /// - Returns: one change for each photo.
    public func show(_ choices: [(photo: Photo, key: RenditionKey)]) throws -> [Change] {
        let keys = Dictionary(choices.map { ($0.photo.id, $0.key) }) { $1 }
        return try change(choices.map(\.photo)) { photo in
            var history = photo.history
            guard let key = keys[photo.id], history[history.current]?.key != key else { return nil }
            _ = history.append(key)
            return history
        }
    }

    /// - Parameter target: returns the new history, or nil to leave the photo as it is.
    private func change(_ photos: [Photo], to target: (Photo) -> PhotoHistory?) throws -> [Change] {
        try LibraryError.wrapping(store.folder) { try store.turn { try changeInTurn(photos, to: target) } }
    }

    /// Changes rows and files while it excludes other writers.
    private func changeInTurn(_ photos: [Photo], to target: (Photo) -> PhotoHistory?) throws -> [Change] {
        var names: [TreeEntryID: TreeEntryID] = [:]
        try store.transaction {
            // Greater than every order so far and less than the next.
            let precedence =
                try max(
                    store.tables.results.highestPrecedence(),
                    photos.reduce(0) { try max($0, store.tree.current($1.id)?.precedence ?? 0) }) + 1
            var isRaised = false
            for photo in photos {
                // The photo may have changed since it was read.
                guard let now = try self.photo(photo.id), let history = target(now) else { continue }
                names[photo.id] = try store.show(history, of: photo.id, precedence: precedence)
                isRaised = true
            }
            if isRaised { try store.tables.results.raisePrecedence(to: precedence) }
        }
        // The caller must not repeat the change: a second undo is another step.
        do { _ = try store.links.update([]) } catch {
            throw LibraryError(error, folder: store.folder).map { LibraryError.notShown($0) } ?? error
        }
        return try photos.map { Change(before: $0, after: try photo(names[$0.id] ?? $0.id) ?? $0) }
    }
}
