internal import Digest
public import Jobs
public import LibraryTables
internal import Manifests
internal import MetadataHost
internal import PhotoTree
public import Selection

/// Compares the library's facts with photos' files, before and after their sidecars are read again.
///
/// Photos contain users' texts, so after a change of a sidecar an ordinary job makes a photo with the same pixels and
/// other metadata. This class finds the photos and their results. Functions throw `LibraryError`.
public final class PhotoRescan {
    private let store: LibraryStore

    /// Opens the library. Completing rows requires a mode for changes.
    public init(library folder: String, mode: LibraryMode) throws {
        store = try LibraryStore(folder: folder, mode: mode)
    }

    /// Photos ordered by path, each rendition once.
    public struct Page: Sendable {
        /// The shown renditions.
        public let photos: [Photo]
        /// The last photo's path, after which the next page continues.
        public let last: RelativePath
    }

    /// A shown rendition.
    public struct Photo: Hashable, Sendable {
        /// The library's row.
        public let record: RenditionRecord
        /// The paths of its RAW, the photo's first, including a dropped RAW in the library, but not the library's copy,
        /// which has no sidecar.
        public let raws: [FileReference]

        /// True if an earlier version wrote the row without stars, keywords or EXIF facts, and for a photo without any
        /// EXIF facts.
        public var isIncomplete: Bool {
            let facts = record.facts
            return facts.rating == nil || facts.keywords == nil
                || PhotoFact.all.allSatisfy { $0.origin != .exif || $0.value(in: facts) == nil }
        }
    }

    /// A page of the photos of a selection; nil at the end.
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
        guard let record = try store.tables.renditions.record(id) else { return nil }
        let own = record.original.file
        let others = try store.raws(of: record).filter { $0.root != .library && $0 != own }
        return Photo(
            record: record, raws: (own.root != .library || LibraryLayout.isDropped(own.path) ? [own] : []) + others)
    }

    /// Completes rows of earlier versions with their photos' facts. A process in the sandbox reads the photos.
    ///
    /// - Returns: the number of completed rows.
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
                        if try store.tables.renditions.complete(identity.facts, of: photo) { count += 1 }
                    }
                    return count
                }
            }
        }
    }

    /// The number of photos whose bytes in the library have changed since the page was read.
    public func changedCount(since page: Page) throws -> Int {
        try LibraryError.wrapping(store.folder) {
            try page.photos.count {
                try store.tables.renditions.record($0.record.id)?.photo.digest != $0.record.photo.digest
            }
        }
    }
}
