internal import Jobs
internal import Storage

/// Cached listings of RAW folders: reading a folder of ten thousand files for each RAW takes longer than rendering
/// them. Listings expire after a second; newer files are missing until then, and deleted ones are not returned.
final class FolderNames {
    private struct Listing {
        let folder: FileID
        let read: ContinuousClock.Instant
        /// Sorted, so that names with the same beginning are adjacent.
        let files: [[UInt8]]
    }

    /// The most recently used.
    private var listings: [Listing] = []

    private static let maxCount = 4
    private static let maxAge = Duration.seconds(1)

    /// The files beside a RAW whose names are its base name, or begin with it and a dot. A missing folder has no files.
    func files(beside raw: FileReference, in root: Root) throws -> [RelativePath] {
        let files = try listing(raw, root)
        let base = CompanionName.base(of: raw.path.name)
        var (index, end) = (0, files.count)
        while index < end {
            let middle = (index + end) / 2
            if files[middle].lexicographicallyPrecedes(base) { index = middle + 1 } else { end = middle }
        }
        var found: [RelativePath] = []
        while index < files.count, files[index].starts(with: base) {
            let name = files[index]
            index += 1
            guard name != raw.path.name, name.count == base.count || name[base.count] == UInt8(ascii: "."),
                let path = raw.path.folder.map({ $0.appending(name) }) ?? RelativePath(bytes: name),
                try root.factsIfPresent(of: path.bytes)?.kind == .file
            else { continue }
            found.append(path)
        }
        return found
    }

    private func listing(_ raw: FileReference, _ root: Root) throws -> [[UInt8]] {
        let path = raw.path.folder?.bytes ?? []
        guard let folder = try root.factsIfPresent(of: path), folder.kind == .folder else { return [] }
        let now = ContinuousClock.now
        listings.removeAll { now - $0.read >= Self.maxAge }
        if let known = listings.first(where: { $0.folder == folder.id }) { return known.files }
        let files = try root.entries(of: path).filter { $0.kind == .file }.map(\.name)
        let listing = Listing(
            folder: folder.id, read: now, files: files.sorted { $0.lexicographicallyPrecedes($1) })
        listings = [listing] + listings.prefix(Self.maxCount - 1)
        return listing.files
    }
}
