internal import Jobs
internal import LibraryTables
internal import Manifests
internal import PhotoTree
internal import Storage

/// Names every file in `photos/` again, starting from an empty tree.
struct TreeRebuild {
    private let store: LibraryStore

    init(store: LibraryStore) { self.store = store }

    func arrange() throws {
        var look: [Candidate] = []
        try store.tables.renditions.eachByLook { record, finished in
            let next = Candidate(record: record, finished: finished)
            if let first = look.first, !first.hasLook(of: next) {
                try placeVariants(of: look)
                look.removeAll()
            }
            look.append(next)
        }
        try placeVariants(of: look)
        try store.tables.revisions.each { try placeChoice(for: $0) }
        for asset in try store.tables.copies.assets() { try store.tree.placeOriginalCopy(of: asset) }
    }

    /// Shows a user's choice for a photo, unless something newer is shown.
    private func placeChoice(for id: TreeEntryID) throws {
        let shown = try store.tree.current(id)
        if let choice = try store.tables.revisions.choice(for: id),
            let record = try store.tables.renditions.record(RenditionID(asset: id.asset, key: choice.key))
        {
            if let shown, shown.precedence > choice.precedence { return }
            try store.tree.place(TreeNaming.photo(record, as: id), key: choice.key)
            return try store.tree.showEverywhere(record, id)
        }
        if shown == nil { try store.tables.revisions.removeAll(of: id) }
    }

    private struct Candidate {
        let record: RenditionRecord
        let finished: Int64

        /// True if both are renditions of one look of one frame.
        func hasLook(of other: Candidate) -> Bool {
            record.asset == other.record.asset && record.frame == other.record.frame
                && record.recipe.look == other.record.recipe.look
        }
    }

    /// - Parameter candidates: the renditions of a look, from the oldest to the newest.
    private func placeVariants(of candidates: [Candidate]) throws {
        let variants = Dictionary(grouping: candidates, by: \.record.recipe.variant)
        for (_, candidates) in variants.sorted(by: { $0.key < $1.key }) { try placeOne(of: candidates) }
    }

    /// Places the rendition of a variant that `photos/` shows now; otherwise the newest.
    ///
    /// - Parameter candidates: from the oldest to the newest.
    private func placeOne(of candidates: [Candidate]) throws {
        guard let newest = candidates.last else { return }
        let shown = candidates.count == 1 ? newest : try candidates.last { try isShown($0.record) } ?? newest
        if shown.record.key != newest.record.key {
            // Keeps the shown one the newest in later comparisons.
            try store.tables.renditions.setFinished(newest.finished &+ 1, of: shown.record.id)
        }
        let claim = TreeNaming.photo(shown.record)
        try store.tree.place(claim, key: shown.record.key)
        try store.tree.showEverywhere(shown.record, claim.id)
    }

    private func isShown(_ record: RenditionRecord) throws -> Bool {
        guard let object = try store.root.factsIfPresent(of: LibraryLayout.photo(record.key).bytes) else {
            return false
        }
        for name in TreeNaming.photo(record).names {
            guard let facts = try store.root.factsIfPresent(of: name.bytes) else { continue }
            if facts.id == object.id { return true }
            guard facts.sizeBytes == object.sizeBytes else { continue }
            if try store.root.digest(of: name.bytes).digest == record.photo.digest { return true }
        }
        return false
    }
}
