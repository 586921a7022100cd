internal import Storage

/// A glance at a run's sources, so that no more is prepared for a lone photo than it needs.
package enum SinglePhoto {
    /// A photo has no more files than that: a RAW, a sidecar, the camera's JPEG, a sound.
    private static let maxFiles = 4

    /// Whether the sources are one photo: a file, or a folder with files of one name that differ in their endings. It may be
    /// wrong: what else there is to do is done all the same, a little later.
    package static func isAll(of sources: [[UInt8]]) -> Bool {
        guard sources.count == 1, let source = sources.first else { return false }
        guard let root = try? Root(path: String(decoding: source, as: UTF8.self)) else {
            // No folder; what is not there either is told later.
            return true
        }
        return (try? isOnePhoto(root)) ?? false
    }

    private static func isOnePhoto(_ root: Root) throws(StorageError) -> Bool {
        var entries = try root.openFolder([]).reader()
        var bases: Set<ArraySlice<UInt8>> = []
        var count = 0
        while let entry = try entries.next() {
            count += 1
            guard entry.kind == .file, count <= maxFiles else { return false }
            bases.insert(entry.name.prefix { $0 != UInt8(ascii: ".") })
        }
        return bases.count <= 1
    }
}
