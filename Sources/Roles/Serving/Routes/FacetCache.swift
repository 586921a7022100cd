internal import Selection

/// The gallery's facets. Counting them takes time in a large library, and every page requests them. So all requests
/// share one count, valid for twenty times as long as it took, but at least five seconds.
actor FacetCache {
    private struct Known {
        let facets: PhotoFacets
        let isGoodUntil: ContinuousClock.Instant
    }

    private let readers: LibraryReaders
    private var known: Known?
    private var counting: Task<PhotoFacets, any Error>?
    private static let minAge = Duration.seconds(5)

    init(_ readers: LibraryReaders) { self.readers = readers }

    func forget() { known = nil }

    /// - Throws: `LibraryError`.
    func facets() async throws -> PhotoFacets {
        if let known, ContinuousClock.now < known.isGoodUntil { return known.facets }
        if let counting { return try await counting.value }
        let (readers, start) = (readers, ContinuousClock.now)
        let task = Task { try await readers.readLong { try $0.photos.facets() } }
        counting = task
        defer { counting = nil }
        let facets = try await task.value
        let now = ContinuousClock.now
        known = Known(facets: facets, isGoodUntil: now + max((now - start) * 20, Self.minAge))
        return facets
    }
}
