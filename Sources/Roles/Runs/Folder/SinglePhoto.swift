internal import Storage

/// Recognises sources that are a single photo, so that the run prepares only what that requires.
package enum SinglePhoto {
    /// A photo has at most a RAW, a sidecar, the camera's JPEG and a sound.
    private static let maxFiles = 4

    /// True if the sources are one photo: a file, or a folder of files whose names differ only in their extensions. A
    /// wrong result only costs time.
    package static func isAll(of sources: [[UInt8]]) -> Bool {
        guard sources.count == 1, let source = sources.first else { return false }
        guard let root = try? Root(path: String(decoding: source, as: UTF8.self)) else {
            // A file. The plan reports a missing one.
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
