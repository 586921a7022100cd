internal import Digest
internal import Jobs

extension LibraryStore {
    /// Makes a photo show the current revision of its history, within a transaction.
    ///
    /// With another look the photo is that look's: what is ordered of it later is shown in its place, and what was ordered of the
    /// look before is held, so that a manifest that is read again does not bring it back. Only where the frame has a photo of
    /// the new look already, both stand side by side.
    ///
    /// - Parameter precedence: above that of what is shown now.
    /// - Returns: the photo as it is named now.
    @discardableResult
    func show(_ history: PhotoHistory, of id: TreeEntryID, precedence: Int64) throws -> TreeEntryID {
        guard let revision = history[history.current],
            let record = try renditions.record(RenditionID(asset: id.asset, key: revision.key))
        else { return id }
        try revisions.store(history, of: id)
        try revisions.choose(.init(number: revision.number, key: revision.key, precedence: precedence), for: id)
        let renamed = try tree.rename(id, to: record.recipe.variant)
        if renamed != id {
            for (old, _) in try renditions.ordered(of: id.asset, frame: id.frame) where old.recipe.variant == id.variant
            {
                try renditions.hold(old.id)
            }
            try revisions.rename(id, to: renamed)
        }
        try tree.place(TreeNaming.photo(record, as: renamed), key: revision.key)
        try tree.showEverywhere(record, renamed)
        try tree.placeOriginalCopy(of: id.asset)
        return renamed
    }

    /// Every path at which an asset's RAW was seen, that of a rendition first, and the library's own copies of it.
    func raws(of asset: SHA256Value, rendition key: RenditionKey) throws -> [FileReference] {
        let own = try renditions.record(RenditionID(asset: asset, key: key)).map { [$0.original.file] } ?? []
        let copies = try assets.originalCopyPaths(of: asset).map { FileReference(root: .library, path: $0) }
        var raws: [FileReference] = []
        for file in own + (try sightings.all(of: asset).map(\.raw.file)) + copies where !raws.contains(file) {
            raws.append(file)
        }
        return raws
    }
}
