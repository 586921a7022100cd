public import Digest
public import Jobs

/// The files of some assets in `photos/`.
public struct ShownPhotos {
    private let entries: [SHA256Value: [TreeTable.ShownEntry]]
    /// Names that a merge changed, with their new content.
    package let changes: [RelativePath: PendingLink]

    package init(_ entries: [SHA256Value: [TreeTable.ShownEntry]], changes: [RelativePath: PendingLink] = [:]) {
        self.entries = entries
        self.changes = changes
    }

    /// The path where `photos/` shows a rendition; nil if its variant shows another.
    ///
    /// - Parameters:
    ///   - variant: the recipe's variant.
    ///   - place: the RAW's path, if the photo is shown for several.
    public func path(
        of key: RenditionKey, asset: SHA256Value, frame: UInt32, variant: String, for place: FileReference
    ) -> RelativePath? {
        let id = TreeEntryID(asset: asset, frame: frame, variant: variant)
        let showing = (entries[asset] ?? []).filter { $0.key == key }
        let found = showing.first { $0.id == id.at(place) } ?? showing.first { $0.id == id }
        return found?.path
    }
}
