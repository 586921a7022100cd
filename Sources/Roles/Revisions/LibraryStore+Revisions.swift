internal import Digest
internal import Jobs
package import LibraryTables
package import PhotoTree

extension LibraryStore {
    /// Makes a photo show the current revision of its history, within a transaction.
    ///
    /// A revision with another look makes the photo that look's photo: later orders of that look replace it, and
    /// ordered renditions of the former look are held, so that a repeated manifest does not restore them. If the frame
    /// already has a photo of the new look, both stay.
    ///
    /// - Parameter precedence: greater than that of the shown rendition.
    /// - Returns: the photo's new identifier.
    @discardableResult
    package func show(_ history: PhotoHistory, of id: TreeEntryID, precedence: Int64) throws -> TreeEntryID {
        guard let revision = history[history.current],
            let record = try tables.renditions.record(RenditionID(asset: id.asset, key: revision.key))
        else { return id }
        try tables.revisions.store(history, of: id)
        try tables.revisions.choose(.init(number: revision.number, key: revision.key, precedence: precedence), for: id)
        let renamed = try tree.rename(id, to: record.recipe.variant)
        if renamed != id {
            for (old, _) in try tables.renditions.ordered(of: id.asset, frame: id.frame)
            where old.recipe.variant == id.variant {
                try tables.renditions.hold(old.id)
            }
            try tables.revisions.rename(id, to: renamed)
        }
        try tree.place(TreeNaming.photo(record, as: renamed), key: revision.key)
        try tree.showEverywhere(record, renamed)
        try tree.placeOriginalCopy(of: id.asset)
        return renamed
    }
}
