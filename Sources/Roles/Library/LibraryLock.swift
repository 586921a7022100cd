internal import Manifests
internal import Storage

/// Says that one process writes to a library. Goes with the process, however that ends.
public final class LibraryLock: Sendable {
    private let lock: FolderLock

    /// - Throws: a storage error of kind `locked` where another process holds it.
    init(_ root: Root) throws {
        lock = try root.lock(Array("\(LibraryLayout.hidden)/catalogue.lock".utf8))
    }

    /// - Throws: `LibraryError`: `busy` where another process holds it, `notALibrary` where there is no such folder.
    public convenience init(folder: String) throws {
        let root = try LibraryError.naming(folder) { try LibraryStore.openRoot(folder, .read) }
        do { try self.init(root) } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}
