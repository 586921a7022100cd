internal import CFiles
internal import Glibc

/// A file without its final name: unnamed where the file system supports it, otherwise with a temporary name.
///
/// A file with a temporary name stays locked while its writer lives, so that a sweep recognises abandoned ones.
struct PendingFile: ~Copyable, Sendable {
    let file: Descriptor
    /// Nil for an unnamed file.
    private let temporary: EntryLocation?

    /// Creates an empty file in a folder.
    ///
    /// - Parameter path: final path, for errors.
    init(in folder: OpenFolder, for path: [UInt8]) throws(StorageError) {
        let unnamed = retrying { rawmill_open_unnamed(folder.number, 0o666) }
        if unnamed >= 0 {
            file = Descriptor(owning: unnamed)
            temporary = nil
        } else {
            let failure = errno
            let name = TemporaryName.random()
            file = Descriptor(owning: try Self.createNamed(name, in: folder, for: path, after: failure))
            temporary = EntryLocation(folder: folder, name: name)
            flock(file.number, LOCK_EX | LOCK_NB)
        }
    }

    /// Takes over an unnamed file that another process created.
    init(unnamed file: consuming Descriptor) {
        self.file = file
        temporary = nil
    }

    var hasTemporaryName: Bool { temporary != nil }

    /// - Parameter failure: `errno` of creating an unnamed file; must mean that this is not supported.
    private static func createNamed(
        _ name: [CChar], in folder: OpenFolder, for path: [UInt8], after failure: Int32
    ) throws(StorageError) -> Int32 {
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(failure) else {
            throw StorageError(errno: failure, "write", path)
        }
        let number = retrying {
            unsafe openat(folder.number, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666))
        }
        guard number >= 0 else { throw StorageError(errno: errno, "write", path) }
        return number
    }

    /// Removes a temporary name that never became final. The kernel removes an unnamed file.
    deinit {
        if let temporary { unsafe unlinkat(temporary.folder.number, temporary.name, 0) }
    }

    /// Gives the file its final name. Returns false if the name is taken.
    func takeName(of target: EntryLocation, _ path: [UInt8]) throws(StorageError) -> Bool {
        let result: Int32
        if let temporary {
            result = temporary.renameWithoutReplacing(to: target)
        } else {
            result = unsafe rawmill_link_descriptor(file.number, target.folder.number, target.name)
        }
        if result == 0 { return true }
        let number = errno
        if number == EEXIST { return false }
        throw target.creationError(number, "write", path, from: temporary)
    }

    /// Removes the name that the file has just got, so that it can get another. A formerly unnamed file can get none
    /// after that, but file systems that support unnamed files do not need this.
    func loseName(_ name: EntryLocation) {
        if let temporary {
            unsafe renameat(name.folder.number, name.name, temporary.folder.number, temporary.name)
        }
        unsafe unlinkat(name.folder.number, name.name, 0)
    }

    /// Replaces the file with this name.
    ///
    /// The kernel cannot link over an existing name, so an unnamed file first gets the name `.rawmill-<name>.tmp`. All
    /// writers use the same one, so the next replacement removes what a killed writer left.
    ///
    /// - Returns: false if a concurrent replacement removed that name. The file is then gone and has to be written
    ///   again.
    func replaceName(of target: EntryLocation, _ path: [UInt8]) throws(StorageError) -> Bool {
        if let temporary {
            if unsafe renameat(temporary.folder.number, temporary.name, target.folder.number, target.name) == 0 {
                return true
            }
            throw StorageError(errno: errno, "replace", path)
        }
        let next = TemporaryName.replacement(for: target.name)
        for _ in 0..<64 {
            if unsafe rawmill_link_descriptor(file.number, target.folder.number, next) == 0 {
                if unsafe renameat(target.folder.number, next, target.folder.number, target.name) == 0 { return true }
                // ENOENT: another writer removed the name between the two calls.
                if errno != ENOENT { throw StorageError(errno: errno, "replace", path) }
            } else if errno == EEXIST {
                unsafe unlinkat(target.folder.number, next, 0)
            } else if errno == ENOENT {
                // The file's only name was removed, and the kernel allows no new one.
                return false
            } else {
                throw StorageError(errno: errno, "replace", path)
            }
        }
        throw StorageError(errno: EBUSY, "replace", path)
    }
}
