internal import Concurrency
internal import Jobs
internal import LibraryTables
internal import Manifests
internal import Storage

/// Reads the sizes of renditions' files in the background, because each call waits for a network file system.
struct PhotoSizes {
    private let keys: [RenditionKey]
    private let sizes: BackgroundValue<[Result<UInt64?, StorageError>]>

    init(of records: [RenditionRecord], in root: Root) {
        let paths = records.map { LibraryLayout.photo($0.key).bytes }
        keys = records.map(\.key)
        sizes = BackgroundValue(of: .shared) {
            Parallel.map(paths.count, threads: FreeNames.threadCount, by: .shared) { index in
                Result { () throws(StorageError) in try root.factsIfPresent(of: paths[index])?.sizeBytes }
            }
        }
    }

    /// Waits for all files. Returns the size in bytes of each existing file.
    func found() throws(StorageError) -> [RenditionKey: UInt64] {
        var found: [RenditionKey: UInt64] = [:]
        for (key, size) in zip(keys, sizes.value) { found[key] = try size.get() }
        return found
    }
}
