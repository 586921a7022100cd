internal import Digest
public import Jobs
internal import Manifests
internal import Records
public import Storage

/// Takes photos out of a library. The process may die after any of these steps:
///
/// 1. One transaction removes the rows of some assets' photos, notes their names below `photos/`, their files, that they
///    were removed, and what the coordinator will be told.
/// 2. Their names below `photos/` are removed, where the files are Rawmill's and unchanged.
/// 3. Their files are deleted, where they have the bytes that the rows had, and the notes of them.
///
/// A later removal, `verify --repair`, or the next render of the same photo finishes what steps 2 and 3 left undone.
public final class PhotoRemover {
    private let store: LibraryStore
    private let roots: Roots
    private let onStep: (RemovalStep) throws -> Void

    /// Opens the library: for writing if something is to be removed, for reading if only the plan is wanted.
    ///
    /// - Parameter roots: of the RAWs, to look whether a RAW is outside the library too.
    /// - Throws: `LibraryError`.
    public convenience init(library folder: String, roots: Roots, mode: LibraryStore.Mode) throws {
        self.init(store: try LibraryStore(folder: folder, mode: mode), roots: roots)
    }

    init(store: LibraryStore, roots: Roots, onStep: @escaping (RemovalStep) throws -> Void = { _ in }) {
        self.store = store
        self.roots = roots
        self.onStep = onStep
    }

    private static let assetsPerTransaction = 100

    // MARK: Planning

    /// What would go.
    ///
    /// - Parameters:
    ///   - names: as people give them. An asset's id names all its photos; the path of a photo names that variant of it in
    ///     every folder, with the edits that it hides.
    ///   - look: only photos of this look; nil for all.
    ///   - withOriginals: takes RAWs with their last photos that are nowhere but in the library.
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
    func plan(_ keys: [SHA256Value: Set<RenditionKey>], withOriginals: Bool) throws -> RemovalPlan {
        var plan = RemovalPlan()
        for (asset, keys) in keys.sorted(by: { $0.key < $1.key }) {
            let all = try store.renditions.records(of: asset)
            if all.allSatisfy({ keys.contains($0.key) }), let copy = try store.copies.copy(of: asset) {
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
        case .asset(let asset): return try store.renditions.records(of: asset)
        case .photo(let id):
            let own = try store.histories.keys(ofAlone: id)
            return try store.renditions.records(of: id.asset).filter { own.contains($0.key) }
        }
    }

    /// True if the RAW is outside the library as well, byte for byte.
    private func isElsewhere(_ asset: SHA256Value) throws -> Bool {
        try store.sightings.all(of: asset).contains { sighting in
            let file = sighting.raw.file
            guard file.root != .library, let root = roots[file.root.text] else { return false }
            return (try? root.digest(of: file.path.bytes).digest) == asset
        }
    }

    // MARK: Removing

    /// Removes what the plan names.
    ///
    /// - Returns: files that stay because they do not have the bytes that the library knew: photos that a person changed.
    /// - Throws: `LibraryError`.
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
                        results: [], cluster: Self.noCluster, answered: [:], highestPrecedence: 0, removed: gone)
                    for bytes in record.records() { try store.results.insert(bytes) }
                    try onStep(.rowsWritten)
                }
                try onStep(.committed)
            }
            return try finish()
        }
    }

    /// A result that is not about the manifests of any cluster.
    static let noCluster = "none"

    /// Removes the names below `photos/` and the files that rows no longer have.
    ///
    /// - Returns: files that stay because they do not have the bytes that the library knew.
    /// - Throws: `LibraryError`.
    @discardableResult
    func finish() throws -> [RelativePath] {
        var kept = try store.links.update([]).compactMap { update -> RelativePath? in
            if case .kept(let path) = update { path } else { nil }
        }
        try onStep(.linksUpdated)
        while case let files = try store.removed.doomed(limit: 200), !files.isEmpty {
            for file in files {
                if try !delete(file) { kept.append(file.path) }
                try onStep(.fileDeleted(file.path))
            }
            try onStep(.filesDeleted)
            try store.transaction { for file in files { try store.removed.spare(file.path) } }
        }
        return kept
    }

    /// - Returns: false if the file has other bytes, and stays.
    private func delete(_ file: RemovedTable.DoomedFile) throws -> Bool {
        guard try store.root.factsIfPresent(of: file.path.folder?.bytes ?? [])?.kind == .folder else { return true }
        return try store.root.withdraw(file.path.bytes, ifPresentAnd: { try $0.digestIfReadable() == file.digest })
    }

    /// - Returns: what of the asset has no rendition any more, by recipe.
    private func removeRows(
        _ keys: Set<RenditionKey>, of asset: SHA256Value, withCopy: Bool
    ) throws -> [RemovedPhoto] {
        let all = try store.renditions.records(of: asset)
        let (gone, left) = (all.filter { keys.contains($0.key) }, all.filter { !keys.contains($0.key) })
        let copy = try store.copies.copy(of: asset)
        // The RAW would be left without a photo that names it.
        if left.isEmpty, copy != nil, !withCopy { return [] }
        for record in gone {
            try store.renditions.remove(record)
            try store.removed.insert(record)
            for id in try store.revisions.files(of: asset, with: record.key) {
                try store.revisions.remove(record.key, from: id)
            }
        }
        try store.albums.forget(asset, except: Set(left.map(\.frame)))
        for (id, key) in try store.tree.photos(of: asset) where keys.contains(key) { try showNext(id) }
        if left.isEmpty {
            try store.tree.withdraw(.originalCopy(of: asset))
            if let copy {
                try store.copies.remove(asset)
                try store.removed.doom(.init(path: copy.path, digest: asset))
            }
            for sighting in try store.sightings.all(of: asset) {
                try store.sightings.remove(sighting.raw.file, of: asset)
            }
        } else {
            try store.tree.placeOriginalCopy(of: asset)
        }
        let kept = Set(left.map(\.recipe.id))
        return Set(gone.map(\.recipe.id)).subtracting(kept).sorted().map { RemovedPhoto(asset: asset, recipe: $0) }
    }

    /// Shows the newest rendition that is left of a photo where a removed one was shown; nothing if none is left.
    private func showNext(_ id: TreeEntryID) throws {
        guard let key = try store.histories.newest(of: id),
            let record = try store.renditions.record(RenditionID(asset: id.asset, key: key))
        else {
            try store.revisions.removeAll(of: id)
            return try store.tree.withdraw(id)
        }
        try store.tree.place(TreeNaming.photo(record, as: id), key: key)
        try store.tree.showEverywhere(record, id)
    }
}
