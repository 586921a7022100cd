public import Digest
public import Jobs

/// The files below `photos/` of some assets.
public struct ShownPhotos {
    private let entries: [SHA256Value: [TreeTable.ShownEntry]]
    /// Names that a merge changed, and what they show now.
    package let changes: [RelativePath: PendingLink]

    package init(_ entries: [SHA256Value: [TreeTable.ShownEntry]], changes: [RelativePath: PendingLink] = [:]) {
        self.entries = entries
        self.changes = changes
    }

    /// The path at which `photos/` shows a rendition; nil if its variant shows another one.
    ///
    /// - Parameters:
    ///   - variant: the recipe's.
    ///   - place: the path of the RAW, if the photo is shown for several.
    public func path(
        of key: RenditionKey, asset: SHA256Value, frame: UInt32, variant: String, for place: FileReference
    ) -> RelativePath? {
        let id = TreeEntryID(asset: asset, frame: frame, variant: variant)
        let showing = (entries[asset] ?? []).filter { $0.key == key }
        let found = showing.first { $0.id == id.at(place) } ?? showing.first { $0.id == id }
        return found?.path
    }
}
