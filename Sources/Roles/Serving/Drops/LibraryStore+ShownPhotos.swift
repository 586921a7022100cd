internal import Digest
internal import LibraryTables
package import PhotoTree
package import Selection

extension LibraryStore {
    /// The shown photos of a RAW, ordered by frame.
    func shownPhotos(of asset: String) throws -> [PhotoSummary] {
        guard case .found(let frames) = try assets.find(.prefix(asset)) else { return [] }
        return try frames.sorted { $0.frame < $1.frame }.compactMap { frame in
            try frame.photos.lazy.compactMap { try photos.photo(at: $0.path) }.first
        }
    }
}

extension DroppedFile {
    /// The shown photos of the file, edits included, ordered by frame.
    package func photos(in store: LibraryStore) throws -> [PhotoSummary] {
        let made = try photos.compactMap { id -> PhotoSummary? in
            guard let digest = SHA256Value(hex: id), let record = try store.rendition(named: digest),
                let path = try store.photos.path(showing: record.id)
            else { return nil }
            return try store.photos.photo(at: path)
        }
        if !made.isEmpty, made.count == photos.count { return made }
        return try asset.map { try store.shownPhotos(of: $0) } ?? []
    }
}
