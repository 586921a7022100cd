import Library

extension LibraryStore {
    /// The photos that the library shows of a RAW, a frame after the other.
    func shownPhotos(of asset: String) throws -> [PhotoSummary] {
        guard case .found(let frames) = try assets.find(.prefix(asset)) else { return [] }
        return try frames.sorted { $0.frame < $1.frame }.compactMap { frame in
            try frame.photos.lazy.compactMap { try photos.photo(at: $0.path) }.first
        }
    }
}
