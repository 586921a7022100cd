internal import Concurrency
internal import Synchronization

/// What can be made to survive a power cut.
protocol Syncable: Sendable {
    /// Returns when it is durable.
    func sync() throws(StorageError)
}

extension OpenFolder: Syncable {}

/// Waiting for the disk in several places at once.
///
/// A disk empties its cache once for all who wait for it at the same moment. So several syncs that are made side by side
/// take less time than one after another.
enum SideBySide {
    /// Returns when all are durable.
    ///
    /// - Throws: the first error, after all syncs have ended.
    static func sync(_ items: [any Syncable]) throws(StorageError) {
        let failure = Mutex<StorageError?>(nil)
        Parallel.forEach(items.count) { index in
            do throws(StorageError) {
                try items[index].sync()
            } catch {
                failure.withLock { if $0 == nil { $0 = error } }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }
}

/// Folders whose entries are to survive a power cut, each once.
struct FolderSyncs {
    private(set) var folders: [OpenFolder] = []

    mutating func add(_ folder: OpenFolder) {
        if !folders.contains(where: { $0.path == folder.path }) { folders.append(folder) }
    }

    /// Returns when the entries of all folders are durable.
    func sync() throws(StorageError) { try SideBySide.sync(folders) }
}
