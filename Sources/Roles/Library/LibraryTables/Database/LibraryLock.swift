internal import Database
internal import Manifests
internal import Storage

/// Shows that one process writes to a library. The kernel drops the lock when the process ends, however it ends.
public final class LibraryLock: Sendable {
    private let lock: FolderLock
    /// Where the tables are on a server: machines do not see each other's locks of a folder on every file system.
    let server: ServerLock?
    let isShared: Bool

    /// - Parameters:
    ///   - isShared: others who share it may have it, too. For a library on a server; that in a file has one writer.
    ///   - isGuest: with `isShared`: takes no share of the others' work.
    /// - Throws: a `StorageError` of kind `locked`, or a `DatabaseError` of kind `busy`, if another process holds the lock.
    init(_ root: Root, isShared: Bool = false, isGuest: Bool = false) throws {
        let location = try LibraryLocation(root)
        let isShared = isShared && location.map(\.isFile) == false
        lock = try root.lock(Array("\(LibraryLayout.hidden)/catalogue.lock".utf8), isShared: isShared)
        server = try location?.lock(isShared: isShared, isGuest: isShared && isGuest)
        self.isShared = isShared
    }

    /// Which of those who share the lock this is, from 0, and how many they are.
    func share() throws -> (number: Int, count: Int) {
        guard isShared, let share = try server?.share() else { return (0, 1) }
        return (share.number, share.count)
    }

    /// Takes the lock of the library in a folder.
    ///
    /// - Throws: `LibraryError.busy` if another process holds the lock, `.notALibrary` if there is no such folder.
    public convenience init(folder: String) throws {
        let root = try LibraryError.wrapping(folder) { try Root(library: folder, creating: false) }
        do { try self.init(root) } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}

extension Root {
    /// The root of a library's folder.
    ///
    /// - Throws: `LibraryError.notALibrary` if the folder does not exist and is not created; `StorageError`.
    convenience init(library folder: String, creating: Bool) throws {
        do { try self.init(path: folder, creating: creating) } catch {
            throw error.kind == .notFound ? LibraryError.notALibrary(folder: folder) : error
        }
    }
}
