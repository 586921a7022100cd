internal import Concurrency
internal import Synchronization

/// What can be made to survive a power cut.
protocol Syncable: Sendable {
    /// Returns when it is durable.
    func sync() throws(StorageError)

    /// Returns when everything on its file system is durable.
    ///
    /// - Returns: false if that failed, or the file system is not known to do it.
    func syncFileSystem() -> Bool

    /// The device that it is on; nil if the system does not tell.
    var device: UInt64? { get }
}

/// Waiting for the disk once for many files and folders.
///
/// A disk empties its cache once for all who wait for it at the same moment. So syncs that are made side by side take less
/// time than one after another; and for many, one sync of the whole file system takes less than the sum of theirs, even
/// beside other programs that write.
enum GroupSync {
    /// From so many files and folders on, the whole file system is synchronized. A photo with its preview, in four new
    /// folders, is six: it does not wait for what other programs wrote.
    static let minCount = 9

    /// Returns when all are durable.
    ///
    /// - Throws: the first error, after all syncs have ended.
    static func sync(_ items: [any Syncable]) throws(StorageError) {
        if items.count >= minCount, syncFileSystems(of: items) { return }
        let failure = Mutex<StorageError?>(nil)
        Parallel.forEach(items.count, by: .shared) { index in
            do throws(StorageError) {
                try items[index].sync()
            } catch {
                failure.withLock { if $0 == nil { $0 = error } }
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
    }

    /// - Returns: false if that is not possible, or failed: the sync of each item then says which one and why.
    private static func syncFileSystems(of items: [any Syncable]) -> Bool {
        var devices: Set<UInt64> = []
        for item in items {
            guard let device = item.device else { return false }
            if devices.insert(device).inserted, !item.syncFileSystem() { return false }
        }
        return true
    }
}

/// Folders whose entries are to survive a power cut, each once.
struct FolderSyncs {
    private(set) var folders: [OpenFolder] = []
    private var paths: Set<[UInt8]> = []

    mutating func add(_ folder: OpenFolder) {
        if paths.insert(folder.path).inserted { folders.append(folder) }
    }

    /// Returns when the entries of all folders are durable.
    func sync() throws(StorageError) { try GroupSync.sync(folders) }
}
