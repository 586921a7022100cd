public import Digest
public import Jobs
internal import Manifests
internal import Storage

/// Moves photos of a library to other revisions: a pointer and names below `photos/` change, nothing is rendered and nothing
/// removed.
///
/// Rows come first, files second, as in every change of the tree: one transaction moves all photos, then `photos/` follows. If the
/// process dies in between, the next one that opens the library for writing makes `photos/` follow.
public final class PhotoReviser {
    private let store: LibraryStore

    /// Opens the library: for writing if photos are to be moved.
    ///
    /// - Throws: `LibraryError`.
    public convenience init(library folder: String, mode: LibraryStore.Mode) throws {
        self.init(store: try LibraryStore(folder: folder, mode: mode))
    }

    /// Over a library that is open.
    public init(store: LibraryStore) { self.store = store }

    /// A photo that `photos/` shows, with its history.
    public struct Photo: Hashable, Sendable {
        let id: TreeEntryID
        /// Where it is shown, below the library's folder.
        public let path: RelativePath
        /// SHA-256 of the RAW's bytes.
        public var asset: SHA256Value { id.asset }
        /// The frame's index within the RAW, from 0.
        public var frame: UInt32 { id.frame }
        /// The edit that is shown.
        public let recipe: RecipeRecord
        /// The version of the engine that rendered it.
        public let engine: UInt32
        /// Every path at which the RAW was seen, and the library's own copy of it.
        public let raws: [FileReference]
        /// Its revisions.
        public let history: PhotoHistory
    }

    /// What became of a photo.
    public struct Change: Hashable, Sendable {
        /// As it was.
        public let before: Photo
        /// As it is now; the same where nothing changed.
        public let after: Photo

        /// False where the photo showed that revision already.
        public var isChange: Bool { before != after }
    }

    // MARK: Reading

    /// The photos that names stand for, each once.
    ///
    /// - Throws: `PhotoNameError`, `LibraryError`.
    public func photos(_ names: [AssetName]) throws -> [Photo] {
        try LibraryError.wrapping(store.folder) {
            var seen: Set<TreeEntryID> = []
            return try names.flatMap { try store.lookup.photos($0) }.filter { seen.insert($0).inserted }
                .compactMap { try photo($0) }
        }
    }

    /// The photos that meet a condition, each once.
    ///
    /// - Parameter limit: of their number.
    /// - Returns: nil if there are more.
    /// - Throws: `LibraryError`.
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

    /// The rendition of a photo's revision; nil if it was removed.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(_ revision: PhotoHistory.Revision, of photo: Photo) throws -> RenditionRecord? {
        try store.renditions.record(RenditionID(asset: photo.asset, key: revision.key))
    }

    /// The rendition that a photo shows; nil if it was removed meanwhile.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(of photo: Photo) throws -> RenditionRecord? {
        try store.tree.current(photo.id).flatMap {
            try store.renditions.record(RenditionID(asset: photo.asset, key: $0.key))
        }
    }

    /// The newest rendition that the library has of a photo with a recipe; nil if there is none.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(of photo: Photo, recipe: SHA256Value) throws -> RenditionRecord? {
        try rendition(of: photo) { $0.id == recipe }
    }

    /// The newest rendition that the library has of a photo with a recipe that fits; nil if there is none.
    ///
    /// - Throws: `LibraryError`.
    public func rendition(of photo: Photo, where fits: (RecipeRecord) -> Bool) throws -> RenditionRecord? {
        try store.renditions.records(of: photo.asset).filter { $0.frame == photo.frame && fits($0.recipe) }
            .max { ($0.engine, $0.recipe.lookVersion) < ($1.engine, $1.recipe.lookVersion) }
    }

    private func photo(_ id: TreeEntryID) throws -> Photo? {
        guard let current = try store.tree.current(id),
            let record = try store.renditions.record(RenditionID(asset: id.asset, key: current.key)),
            let history = try store.histories.history(of: id)
        else { return nil }
        let raws = try store.raws(of: id.asset, rendition: current.key)
        return Photo(
            id: id, path: current.path, recipe: record.recipe, engine: record.engine, raws: raws, history: history)
    }

    // MARK: Changing

    /// Moves photos along their histories, all in one step. A photo without such a revision stays as it is.
    ///
    /// - Returns: one for each photo.
    /// - Throws: `LibraryError`.
    public func move(_ photos: [Photo], _ move: PhotoHistory.Move) throws -> [Change] {
        try change(photos) { photo in
            var history = photo.history
            guard let target = history.target(of: move) else { return nil }
            history.show(target)
            return history
        }
    }

    /// Shows renditions that the library has, all in one step. Each becomes the latest revision of its photo.
    ///
    /// - Returns: one for each photo.
    /// - Throws: `LibraryError`.
    public func show(_ choices: [(photo: Photo, key: RenditionKey)]) throws -> [Change] {
        let keys = Dictionary(choices.map { ($0.photo.id, $0.key) }) { $1 }
        return try change(choices.map(\.photo)) { photo in
            var history = photo.history
            guard let key = keys[photo.id], history[history.current]?.key != key else { return nil }
            _ = history.append(key)
            return history
        }
    }

    /// - Parameter target: the history as it is to be; nil for a photo that stays as it is.
    private func change(_ photos: [Photo], to target: (Photo) -> PhotoHistory?) throws -> [Change] {
        try LibraryError.wrapping(store.folder) { try store.turn { try changeInTurn(photos, to: target) } }
    }

    /// Rows, and the files that follow them, without another writer in between.
    private func changeInTurn(_ photos: [Photo], to target: (Photo) -> PhotoHistory?) throws -> [Change] {
        var names: [TreeEntryID: TreeEntryID] = [:]
        try store.transaction {
            // Above that of every order so far; the next order's is above this one.
            let precedence =
                try max(
                    store.results.highestPrecedence(),
                    photos.reduce(0) { try max($0, store.tree.current($1.id)?.precedence ?? 0) }) + 1
            var isRaised = false
            for photo in photos {
                // Others may have changed it since it was read.
                guard let now = try self.photo(photo.id), let history = target(now) else { continue }
                names[photo.id] = try store.show(history, of: photo.id, precedence: precedence)
                isRaised = true
            }
            if isRaised { try store.results.raisePrecedence(to: precedence) }
        }
        // A step back along a history that is made twice is two steps.
        do { _ = try store.links.update([]) } catch {
            throw LibraryError(error, folder: store.folder).map { LibraryError.notShown($0) } ?? error
        }
        return try photos.map { Change(before: $0, after: try photo(names[$0.id] ?? $0.id) ?? $0) }
    }
}
