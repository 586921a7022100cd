internal import Concurrency
internal import Synchronization

protocol Syncable: Sendable {
    func sync() throws(StorageError)

    /// Waits until everything on its file system is durable. Returns false if that failed, or the file system is not
    /// known to do it.
    func syncFileSystem() -> Bool

    var device: UInt64? { get }
}

/// Makes many files and folders durable together.
///
/// A disk flushes its cache once for all concurrent requests. Concurrent syncs are therefore faster than consecutive
/// ones, and for many items one sync of the file system is faster still, even while other programs write.
enum GroupSync {
    /// From this number of items on, the whole file system is synced. A photo with its preview in four new folders has
    /// six, and so does not wait for other programs' data.
    static let minCount = 9

    /// Waits until all items are durable. Throws the first error, after all syncs have ended.
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

    /// - Returns: false if unsupported or failed; syncing each item then reports the error.
    private static func syncFileSystems(of items: [any Syncable]) -> Bool {
        var devices: Set<UInt64> = []
        for item in items {
            guard let device = item.device else { return false }
            if devices.insert(device).inserted, !item.syncFileSystem() { return false }
        }
        return true
    }
}

struct FolderSyncs {
    private(set) var folders: [OpenFolder] = []
    private var paths: Set<[UInt8]> = []

    mutating func add(_ folder: OpenFolder) {
        if paths.insert(folder.path).inserted { folders.append(folder) }
    }

    func sync() throws(StorageError) { try GroupSync.sync(folders) }
}
