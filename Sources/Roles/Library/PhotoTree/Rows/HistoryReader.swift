internal import Digest
internal import Jobs

/// Reads the histories of photos: what is stored of them, and renditions that orders made since.
struct HistoryReader {
    private let revisions: RevisionTable
    private let renditions: RenditionTable
    private let tree: PhotoTree

    init(revisions: RevisionTable, renditions: RenditionTable, tree: PhotoTree) {
        self.revisions = revisions
        self.renditions = renditions
        self.tree = tree
    }

    /// The history of a photo; nil if `photos/` does not show it.
    func history(of id: TreeEntryID) throws -> PhotoHistory? {
        guard let shown = try tree.current(id)?.key else { return nil }
        return PhotoHistory(
            stored: try revisions.revisions(of: id), chosen: try revisions.choice(for: id)?.number,
            ordered: try ordered(of: id), shown: shown)
    }

    /// The photos of an asset that `photos/` shows, where their renditions name them.
    func photos(of asset: SHA256Value) throws -> [(id: TreeEntryID, path: RelativePath, history: PhotoHistory)] {
        try tree.photos(of: asset).compactMap { id, _ in
            guard let path = try tree.current(id)?.path, let history = try history(of: id) else { return nil }
            return (id, path, history)
        }
    }

    /// The rendition to show of a photo whose present one is gone: the newest that was ordered, otherwise the newest edit.
    func newest(of id: TreeEntryID) throws -> RenditionKey? {
        try ordered(of: id).last ?? revisions.revisions(of: id).last?.key
    }

    /// The renditions of a photo, the one that is shown and those that it hides, without those that another photo of the
    /// asset needs.
    func keys(ofAlone id: TreeEntryID) throws -> Set<RenditionKey> {
        var others: Set<RenditionKey> = []
        for (other, key) in try tree.photos(of: id.asset) where other != id {
            others.insert(key)
            others.formUnion(try history(of: other)?.revisions.map(\.key) ?? [])
        }
        return Set(try history(of: id)?.revisions.map(\.key) ?? []).subtracting(others)
    }

    /// The renditions of the photo's variant that orders made, the oldest first.
    private func ordered(of id: TreeEntryID) throws -> [RenditionKey] {
        try renditions.ordered(of: id.asset, frame: id.frame).map(\.record)
            .filter { $0.recipe.variant == id.variant }.map(\.key)
    }
}
