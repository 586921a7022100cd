package import Database
internal import Manifests
package import Storage

/// Shows that a process writes to a library. The kernel releases it when the process ends.
public final class LibraryLock: Sendable {
    private let lock: FolderLock
    /// For tables on a server, because not every file system passes file locks to other machines.
    package let server: ServerLock?
    package let isShared: Bool

    /// - Parameters:
    ///   - isShared: allows other holders that share it. Only for a library on a server; one in a file has one writer.
    ///   - isGuest: with `isShared`, takes no share of the work.
    /// - Throws: a `StorageError` of kind `locked`, or a `DatabaseError` of kind `busy`, if another process holds the
    ///   lock.
    package init(_ root: Root, isShared: Bool = false, isGuest: Bool = false) throws {
        let location = try LibraryLocation(root)
        let isShared = isShared && location.map(\.isFile) == false
        lock = try root.lock(Array("\(LibraryLayout.hidden)/catalogue.lock".utf8), isShared: isShared)
        server = try location?.lock(isShared: isShared, isGuest: isShared && isGuest)
        self.isShared = isShared
    }

    /// This process's number among the holders, from 0, and their count.
    package func share() throws -> (number: Int, count: Int) {
        guard isShared, let share = try server?.share() else { return (0, 1) }
        return (share.number, share.count)
    }

    /// Takes the lock of the library in a folder.
    ///
    /// - Throws: `LibraryError.busy` if another process holds the lock, `.notALibrary` if the folder does not exist.
    public convenience init(folder: String) throws {
        let root = try LibraryError.wrapping(folder) { try Root(library: folder, creating: false) }
        do { try self.init(root) } catch { throw LibraryError(error, folder: folder) ?? error }
    }
}

extension Root {
    /// The root of a library's folder. Throws `LibraryError.notALibrary` if the folder does not exist and is not
    /// created; `StorageError`.
    package convenience init(library folder: String, creating: Bool) throws {
        do { try self.init(path: folder, creating: creating) } catch {
            throw error.kind == .notFound ? LibraryError.notALibrary(folder: folder) : error
        }
    }
}
