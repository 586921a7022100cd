package import Digest
package import Jobs
package import LibraryTables

/// Reads the histories of photos: stored revisions, and later renditions by order.
package struct HistoryReader {
    private let revisions: RevisionTable
    private let renditions: RenditionTable
    private let tree: PhotoTree

    package init(_ tables: LibraryTables, tree: PhotoTree) {
        revisions = tables.revisions
        renditions = tables.renditions
        self.tree = tree
    }

    /// The history of a photo; nil if `photos/` does not show it.
    package func history(of id: TreeEntryID) throws -> PhotoHistory? {
        guard let shown = try tree.current(id)?.key else { return nil }
        return PhotoHistory(
            stored: try revisions.revisions(of: id), chosen: try revisions.choice(for: id)?.number,
            ordered: try ordered(of: id), shown: shown)
    }

    /// The asset's shown photos, at their renditions' own paths.
    package func photos(of asset: SHA256Value) throws -> [(id: TreeEntryID, path: RelativePath, history: PhotoHistory)]
    {
        try tree.photos(of: asset).compactMap { id, _ in
            guard let path = try tree.current(id)?.path, let history = try history(of: id) else { return nil }
            return (id, path, history)
        }
    }

    /// The rendition to show if the present one is missing: the newest by order, otherwise the newest edit.
    package func newest(of id: TreeEntryID) throws -> RenditionKey? {
        try ordered(of: id).last ?? revisions.revisions(of: id).last?.key
    }

    /// The renditions in a photo's history, without those that another photo of the asset needs.
    package func keys(ofAlone id: TreeEntryID) throws -> Set<RenditionKey> {
        var others: Set<RenditionKey> = []
        for (other, key) in try tree.photos(of: id.asset) where other != id {
            others.insert(key)
            others.formUnion(try history(of: other)?.revisions.map(\.key) ?? [])
        }
        return Set(try history(of: id)?.revisions.map(\.key) ?? []).subtracting(others)
    }

    /// The ordered renditions of the photo's variant, the oldest first.
    private func ordered(of id: TreeEntryID) throws -> [RenditionKey] {
        try renditions.ordered(of: id.asset, frame: id.frame).map(\.record)
            .filter { $0.recipe.variant == id.variant }.map(\.key)
    }
}
