internal import Library

/// What there is to choose from in the gallery. To count it takes time in a large library, and every page asks for it: so it is
/// counted once for all that ask, and then again only after twenty times as long as that took, five seconds at least.
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

    /// Photos changed.
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
