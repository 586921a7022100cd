internal import Albums
package import Digest
public import Jobs
public import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Records
public import Selection
public import Storage

/// Removes photos from a library. The process may die after any of these steps:
///
/// 1. One transaction removes the rows of some assets' photos, and records their names in `photos/`, their files, their
///    removal, and the report to the coordinator.
/// 2. Their names in `photos/` are removed if the files are Rawmill's and unchanged.
/// 3. Their files are deleted if they have the bytes of the rows, then the records of the files.
///
/// A later removal, `verify --repair`, or the next render of the same photo completes steps 2 and 3. Functions throw
/// `LibraryError`.
public final class PhotoRemover {
    private let store: LibraryStore
    private let roots: Roots
    private let onStep: (RemovalStep) throws -> Void

    /// Opens the library, for writing or only for planning.
    ///
    /// - Parameter roots: the roots where RAWs may be outside the library.
    /// - Throws: `LibraryError`.
    public convenience init(library folder: String, roots: Roots, mode: LibraryMode) throws {
        self.init(store: try LibraryStore(folder: folder, mode: mode), roots: roots)
    }

    init(store: LibraryStore, roots: Roots, onStep: @escaping (RemovalStep) throws -> Void = { _ in }) {
        self.store = store
        self.roots = roots
        self.onStep = onStep
    }

    private static let assetsPerTransaction = 100

    // MARK: Planning

    /// Plans a removal.
    ///
    /// - Parameters:
    ///   - names: an asset's id names all its photos; a photo's path names that variant in every folder, with its
    ///     superseded edits.
    ///   - look: only photos of this look; nil for all.
    ///   - withOriginals: also removes RAWs that exist only in the library, with their last photos.
    /// - Throws: `PhotoNameError`, `LibraryError`.
    public func plan(_ names: [AssetName], look: String? = nil, withOriginals: Bool = false) throws -> RemovalPlan {
        try LibraryError.wrapping(store.folder) {
            var keys: [SHA256Value: Set<RenditionKey>] = [:]
            for name in names {
                for record in try records(name) where look == nil || record.recipe.look == look {
                    keys[record.asset, default: []].insert(record.key)
                }
            }
            return try plan(keys, withOriginals: withOriginals)
        }
    }

    /// - Parameter keys: the renditions to remove, by asset.
    package func plan(_ keys: [SHA256Value: Set<RenditionKey>], withOriginals: Bool) throws -> RemovalPlan {
        var plan = RemovalPlan()
        for (asset, keys) in keys.sorted(by: { $0.key < $1.key }) {
            let all = try store.tables.renditions.records(of: asset)
            if all.allSatisfy({ keys.contains($0.key) }), let copy = try store.tables.copies.copy(of: asset) {
                let original = RemovalPlan.Original(
                    asset: asset, shownAt: try store.assets.originalCopyPaths(of: asset), sizeBytes: copy.sizeBytes)
                guard try withOriginals || isElsewhere(asset) else {
                    plan.kept.append(original)
                    continue
                }
                plan.originals.append(original)
            }
            for record in all where keys.contains(record.key) {
                plan.photos.append(
                    RemovalPlan.Photo(
                        key: record.key, asset: asset, shownAt: try store.tree.paths(showing: record),
                        sizeBytes: record.photo.sizeBytes + (record.preview?.sizeBytes ?? 0)))
            }
        }
        return plan
    }

    private func records(_ name: AssetName) throws -> [RenditionRecord] {
        switch try store.lookup.match(name) {
        case .rendition(let record): return [record]
        case .asset(let asset): return try store.tables.renditions.records(of: asset)
        case .photo(let id):
            let own = try store.histories.keys(ofAlone: id)
            return try store.tables.renditions.records(of: id.asset).filter { own.contains($0.key) }
        }
    }

    /// True if the RAW also exists outside the library, byte for byte.
    private func isElsewhere(_ asset: SHA256Value) throws -> Bool {
        try store.tables.sightings.all(of: asset).contains { sighting in
            let file = sighting.raw.file
            guard file.root != .library, let root = roots[file.root.text] else { return false }
            return (try? root.digest(of: file.path.bytes).digest) == asset
        }
    }

    // MARK: Removing

    /// Performs a plan.
    ///
    /// - Returns: files that stay because users changed them.
    public func remove(_ plan: RemovalPlan) throws -> [RelativePath] {
        try LibraryError.wrapping(store.folder) {
            let originals = Set(plan.originals.map(\.asset))
            let byAsset = Dictionary(grouping: plan.photos, by: \.asset).sorted { $0.key < $1.key }[...]
            var rest = byAsset
            while !rest.isEmpty {
                let part = rest.prefix(Self.assetsPerTransaction)
                rest = rest.dropFirst(part.count)
                try store.transaction {
                    var gone: [RemovedPhoto] = []
                    for (asset, photos) in part {
                        gone += try removeRows(
                            Set(photos.map(\.key)), of: asset, withCopy: originals.contains(asset))
                    }
                    let record = JobResults(
                        results: [], cluster: LibraryStore.noCluster, answered: [:], highestPrecedence: 0, removed: gone
                    )
                    for bytes in record.records() { try store.tables.results.insert(bytes) }
                    try onStep(.rowsWritten)
                }
                try onStep(.committed)
            }
            return try finish()
        }
    }

    /// Removes the names in `photos/` and the files of removed rows. Returns files that stay because users changed
    /// them.
    @discardableResult
    func finish() throws -> [RelativePath] {
        var kept = try store.links.update([]).compactMap { update -> RelativePath? in
            if case .kept(let path) = update { path } else { nil }
        }
        try onStep(.linksUpdated)
        while case let files = try store.tables.removed.doomed(limit: 200), !files.isEmpty {
            for file in files {
                if try !delete(file) { kept.append(file.path) }
                try onStep(.fileDeleted(file.path))
            }
            try onStep(.filesDeleted)
            try store.transaction { for file in files { try store.tables.removed.spare(file.path) } }
        }
        return kept
    }

    /// - Returns: false if the file has other bytes and stays.
    private func delete(_ file: RemovedTable.DoomedFile) throws -> Bool {
        guard try store.root.factsIfPresent(of: file.path.folder?.bytes ?? [])?.kind == .folder else { return true }
        return try store.root.withdraw(file.path.bytes, ifPresentAnd: { try $0.digestIfReadable() == file.digest })
    }

    /// - Returns: the recipes of which the asset has no rendition left.
    private func removeRows(
        _ keys: Set<RenditionKey>, of asset: SHA256Value, withCopy: Bool
    ) throws -> [RemovedPhoto] {
        let all = try store.tables.renditions.records(of: asset)
        let (gone, left) = (all.filter { keys.contains($0.key) }, all.filter { !keys.contains($0.key) })
        let copy = try store.tables.copies.copy(of: asset)
        // Otherwise no photo would refer to the RAW.
        if left.isEmpty, copy != nil, !withCopy { return [] }
        for record in gone {
            try store.tables.renditions.remove(record)
            try store.tables.removed.insert(record)
            for id in try store.tables.revisions.files(of: asset, with: record.key) {
                try store.tables.revisions.remove(record.key, from: id)
            }
        }
        try store.albums.forget(asset, except: Set(left.map(\.frame)))
        for (id, key) in try store.tree.photos(of: asset) where keys.contains(key) { try showNext(id) }
        if left.isEmpty {
            try store.tree.withdraw(.originalCopy(of: asset))
            if let copy {
                try store.tables.copies.remove(asset)
                try store.tables.removed.doom(.init(path: copy.path, digest: asset))
            }
            for sighting in try store.tables.sightings.all(of: asset) {
                try store.tables.sightings.remove(sighting.raw.file, of: asset)
            }
        } else {
            try store.tree.placeOriginalCopy(of: asset)
        }
        let kept = Set(left.map(\.recipe.id))
        return Set(gone.map(\.recipe.id)).subtracting(kept).sorted().map { RemovedPhoto(asset: asset, recipe: $0) }
    }

    /// Shows a photo's newest remaining rendition in place of a removed one; removes the photo if none remains.
    private func showNext(_ id: TreeEntryID) throws {
        guard let key = try store.histories.newest(of: id),
            let record = try store.tables.renditions.record(RenditionID(asset: id.asset, key: key))
        else {
            try store.tables.revisions.removeAll(of: id)
            return try store.tree.withdraw(id)
        }
        try store.tree.place(TreeNaming.photo(record, as: id), key: key)
        try store.tree.showEverywhere(record, id)
    }
}
