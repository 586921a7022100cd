internal import Digest
public import Jobs
internal import Manifests
internal import MetadataHost

/// Compares what the library says of photos with what their files say, before and after their sidecars are read again.
///
/// The words that people wrote are in the photos themselves, so a sidecar that changed makes a photo of the same pixels with
/// other metadata, by a job like any other. This says which photos to look at, and what became of them.
public final class PhotoRescan {
    private let store: LibraryStore

    /// Opens the library: for changes if rows are to be completed.
    ///
    /// - Throws: `LibraryError`.
    public init(library folder: String, mode: LibraryStore.Mode) throws {
        store = try LibraryStore(folder: folder, mode: mode)
    }

    /// Photos in the order of their paths, each rendition once.
    public struct Page: Sendable {
        /// The renditions that are shown.
        public let photos: [Photo]
        /// The path of the last photo, where the next page goes on.
        public let last: RelativePath
    }

    /// A rendition that `photos/` shows.
    public struct Photo: Hashable, Sendable {
        /// As the library has it.
        public let record: RenditionRecord
        /// The paths at which its RAW was seen, that of the photo itself first; one that was dropped is in the library. The library's
        /// own copy of a RAW is none of them: it has no sidecar.
        public let raws: [FileReference]

        /// Whether an earlier version wrote the row, which did not ask for stars, keywords or what EXIF says. A photo whose EXIF
        /// has none of the facts counts, too.
        public var isIncomplete: Bool {
            let facts = record.facts
            return facts.rating == nil || facts.keywords == nil
                || PhotoFact.all.allSatisfy { $0.origin != .exif || $0.value(in: facts) == nil }
        }
    }

    /// A page of the photos that meet a condition; nil at the end.
    ///
    /// - Throws: `LibraryError`.
    public func page(_ selection: Selection?, after path: RelativePath?, limit: Int) throws -> Page? {
        try LibraryError.wrapping(store.folder) {
            var ids: [RenditionID] = []
            var seen: Set<RenditionKey> = []
            var last: RelativePath?
            try store.photos.each(PhotoFilter(selection: selection), after: path, limit: limit) { photo in
                if seen.insert(photo.key).inserted { ids.append(photo.id) }
                last = photo.path
            }
            guard let last else { return nil }
            return Page(photos: try ids.compactMap { try photo($0) }, last: last)
        }
    }

    private func photo(_ id: RenditionID) throws -> Photo? {
        guard let record = try store.renditions.record(id) else { return nil }
        let own = record.original.file
        let others = try store.raws(of: record).filter { $0.root != .library && $0 != own }
        return Photo(
            record: record, raws: (own.root != .library || LibraryLayout.isDropped(own.path) ? [own] : []) + others)
    }

    /// Gives rows that an earlier version wrote the facts that their photos have. A process in the sandbox reads
    /// the photos.
    ///
    /// - Returns: how many rows were completed.
    /// - Throws: `LibraryError`, `MetadataReaderError`.
    public func complete(_ page: Page) throws -> Int {
        let photos = page.photos.filter(\.isIncomplete).map(\.record)
        if photos.isEmpty { return 0 }
        let answers = try store.metadata.read(
            photos.map { MetadataRequest(.identity, about: LibraryLayout.photo($0.key), in: store.root) })
        return try LibraryError.wrapping(store.folder) {
            try store.turn {
                try store.transaction {
                    var count = 0
                    for (photo, answer) in zip(photos, answers) {
                        guard case .identity(let identity) = answer, identity.key == photo.key.description else {
                            continue
                        }
                        if try store.renditions.complete(identity.facts, of: photo) { count += 1 }
                    }
                    return count
                }
            }
        }
    }

    /// How many photos of a page have other bytes in the library than they had.
    ///
    /// - Throws: `LibraryError`.
    public func changedCount(since page: Page) throws -> Int {
        try LibraryError.wrapping(store.folder) {
            try page.photos.count { try store.renditions.record($0.record.id)?.photo.digest != $0.record.photo.digest }
        }
    }
}
