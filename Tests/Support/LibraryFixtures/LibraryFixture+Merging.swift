internal import LibraryTables
public import Manifests
public import PhotoTree

extension LibraryFixture {
    /// Merges manifests in batches, like a cataloguer, without its offsets, and without removing sources. Refused
    /// renditions are skipped.
    public func merge(_ manifests: [Manifest], batch: Int = 5) throws {
        let store = try LibraryStore(folder: libraryPath, mode: .write, metadataProgram: LibraryFixture.program)
        for start in stride(from: 0, to: manifests.count, by: batch) {
            try mergeRows(Array(manifests[start..<min(start + batch, manifests.count)]), into: store)
            try store.links.updatePending()
        }
        try store.transaction { try store.links.clearPending() }
    }

    /// Only the transaction: the links in `photos/` are not updated.
    public func mergeRows(_ manifests: [Manifest], into store: LibraryStore) throws {
        try store.transaction {
            try store.links.clearPending()
            for manifest in manifests {
                guard case .completed(let renditions) = manifest.outcome else { continue }
                for rendition in renditions {
                    do {
                        _ = try store.merge(RenditionRecord(rendition), finished: manifest.finishedMilliseconds)
                        if let copy = try OriginalCopy(rendition) { try store.merge(copy) }
                    } catch is MergeRefusal {}
                }
            }
        }
    }
}
