internal import Concurrency
internal import Jobs
internal import LibraryTables
internal import Storage

/// Writes photos for free names, several at a time: a disk copies one file while another is opened, and a network file
/// system answers in parallel.
enum FreeNames {
    /// More threads are no faster on a local disk.
    static let threadCount = 4

    /// Writes photos whose names are free. Returns the photo of each name; nil if the name is taken, or on an error,
    /// which `PhotoPlacer.stage` reports.
    static func stage(_ links: [PendingLink], in root: Root) -> [StagedPhoto?] {
        var last = LastFolder(root)
        let folders = links.map { try? last.open(above: $0.path) }
        return Parallel.map(links.count, threads: threadCount, by: .shared) { index in
            let link = links[index]
            guard let object = link.object, let digest = link.digest, let folder = folders[index],
                folder.isFree(link.path.name)
            else { return nil }
            return try? StagedPhoto(of: object, digest, isRaw: link.isRaw, at: link.path, in: root, for: folder)
        }
    }

    /// Gives photos their names where still free. Returns the file of each photo; nil for names left to
    /// `PhotoPlacer.place`.
    static func place(_ photos: [StagedPhoto], in root: Root) -> [PlacedFile?] {
        Parallel.map(photos.count, threads: threadCount, by: .shared) { index in
            let photo = photos[index]
            guard let facts = try? root.placeIfFree(photo.file, at: photo.path.bytes, in: photo.folder) else {
                return nil
            }
            return PlacedFile(digest: photo.digest, facts)
        }
    }
}
