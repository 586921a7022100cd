internal import CFiles
internal import Glibc

/// What a folder's file system supports, found by trial.
public struct FolderAbilities: Hashable, Sendable {
    /// Locks exclude other processes.
    public let locks: Bool
    /// Files can have several names.
    public let hardLinks: Bool
    /// Files can be written before they have a name (O_TMPFILE).
    public let unnamedFiles: Bool
    /// Renaming can fail if the target exists.
    public let exclusiveRename: Bool
    /// Two names can exchange their files atomically.
    public let exchange: Bool
    /// Copies can share blocks.
    public let reflink: Bool
}

extension Root {
    /// Tests what files in a folder can do. Removes its test files; a sweep removes those that a kill leaves behind.
    ///
    /// - Throws: why files cannot be created there.
    public func abilities(of folder: [UInt8] = []) throws(StorageError) -> FolderAbilities {
        let trial = FolderTrial(folder: try existingFolder(folder, "write to"), path: folder)
        defer { trial.removeNames() }
        return try trial.run()
    }
}

private struct FolderTrial {
    let folder: OpenFolder
    let path: [UInt8]
    private let one = TemporaryName.random()
    private let other = TemporaryName.random()
    private let third = TemporaryName.random()

    init(folder: OpenFolder, path: [UInt8]) {
        self.folder = folder
        self.path = path
    }

    func removeNames() {
        for name in [one, other, third] { unsafe unlinkat(folder.number, name, 0) }
    }

    func run() throws(StorageError) -> FolderAbilities {
        let first = try create(one)
        let second = try create(other)
        let block = [UInt8](repeating: 0x5a, count: 4096)
        unsafe try block.span.bytes.withUnsafeBytes { (bytes) throws(StorageError) in
            unsafe try first.write(bytes, path)
        }
        return unsafe FolderAbilities(
            locks: locks(first), hardLinks: isDone(linkat(folder.number, one, folder.number, third, 0)),
            unnamedFiles: makesUnnamed(),
            exclusiveRename: isDone(rawmill_rename_without_replacing(folder.number, one, folder.number, third)),
            exchange: rawmill_exchange(folder.number, one, other) == 0,
            reflink: rawmill_clone(second.number, first.number) == 0)
    }

    private func create(_ name: [CChar]) throws(StorageError) -> Descriptor {
        let flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC
        let number = retrying { unsafe openat(folder.number, name, flags, mode_t(0o600)) }
        guard number >= 0 else { throw StorageError(errno: errno, "write to", path) }
        return Descriptor(owning: number)
    }

    /// Whether a call that created the third name succeeded. Undoes it.
    private func isDone(_ result: Int32) -> Bool {
        guard result == 0 else { return false }
        if unsafe faccessat(folder.number, one, F_OK, 0) == 0 {
            unsafe unlinkat(folder.number, third, 0)
        } else {
            unsafe renameat(folder.number, third, folder.number, one)
        }
        return true
    }

    private func locks(_ file: borrowing Descriptor) -> Bool {
        let again = retrying { unsafe openat(folder.number, one, O_RDWR | O_CLOEXEC) }
        guard again >= 0 else { return false }
        defer { close(again) }
        guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else { return false }
        return flock(again, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    private func makesUnnamed() -> Bool {
        let number = retrying { rawmill_open_unnamed(folder.number, 0o600) }
        guard number >= 0 else { return false }
        close(number)
        return true
    }
}
