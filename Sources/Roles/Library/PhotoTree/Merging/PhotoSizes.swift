internal import Concurrency
internal import Jobs
internal import Manifests
internal import Storage

/// The sizes of renditions' files, which are looked at in the background: on a network's file system each look waits.
struct PhotoSizes {
    private let keys: [RenditionKey]
    private let sizes: BackgroundValue<[Result<UInt64?, StorageError>]>

    /// Begins to look at the files.
    init(of records: [RenditionRecord], in root: Root) {
        let paths = records.map { LibraryLayout.photo($0.key).bytes }
        keys = records.map(\.key)
        sizes = BackgroundValue(of: .shared) {
            Parallel.map(paths.count, threads: FreeNames.threadCount, by: .shared) { index in
                Result { () throws(StorageError) in try root.factsIfPresent(of: paths[index])?.sizeBytes }
            }
        }
    }

    /// Waits for all.
    ///
    /// - Returns: the size in bytes of each file that is there.
    /// - Throws: `StorageError`.
    func found() throws(StorageError) -> [RenditionKey: UInt64] {
        var found: [RenditionKey: UInt64] = [:]
        for (key, size) in zip(keys, sizes.value) { found[key] = try size.get() }
        return found
    }
}
