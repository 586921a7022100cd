internal import CFiles
internal import Glibc

/// A file on its way to its final name: without a name where the file system can, else with a temporary one.
///
/// A temporary name's file is locked while its writer lives, so that a sweep can tell one that was left behind.
struct PendingFile: ~Copyable {
    let file: Descriptor
    /// Zero-terminated; nil for a file without a name.
    private let temporary: [CChar]?
    private let folder: OpenFolder

    private init(file: consuming Descriptor, temporary: [CChar]?, folder: OpenFolder) {
        self.file = file
        self.temporary = temporary
        self.folder = folder
    }

    static func open(in parent: Parent, _ path: [UInt8]) throws(StorageError) -> PendingFile {
        let unnamed = retrying { rawmill_open_unnamed(parent.folder.number, 0o666) }
        if unnamed >= 0 { return PendingFile(file: Descriptor(owning: unnamed), temporary: nil, folder: parent.folder) }
        let failure = errno
        let name = TemporaryName.fresh()
        let number = try named(name, in: parent, path, after: failure)
        flock(number, LOCK_EX | LOCK_NB)
        return PendingFile(file: Descriptor(owning: number), temporary: name, folder: parent.folder)
    }

    /// For a file system without unnamed files, which `failure` must say.
    private static func named(
        _ name: [CChar], in parent: Parent, _ path: [UInt8], after failure: Int32
    ) throws(StorageError) -> Int32 {
        guard [EOPNOTSUPP, EISDIR, EINVAL, ENOENT].contains(failure) else {
            throw StorageError(errno: failure, "write", path)
        }
        let number = retrying {
            openat(parent.folder.number, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o666))
        }
        guard number >= 0 else { throw StorageError(errno: errno, "write", path) }
        return number
    }

    /// A named file that never got its final name goes; the kernel sees to one without a name.
    deinit {
        if let temporary { unlinkat(folder.number, temporary, 0) }
    }

    /// Gives the file its final name; false where the name is taken.
    func takeName(of parent: Parent, _ path: [UInt8]) throws(StorageError) -> Bool {
        let result: Int32
        if let temporary {
            result = rename(temporary, to: parent)
        } else {
            result = rawmill_link_descriptor(file.number, parent.folder.number, parent.name)
        }
        if result == 0 { return true }
        if errno == EEXIST { return false }
        throw StorageError(errno: errno, "write", path)
    }

    /// Renames without replacing; where the file system cannot (NFS), a hard link is as good: it fails on a taken name.
    private func rename(_ temporary: [CChar], to parent: Parent) -> Int32 {
        let result = rawmill_rename_without_replacing(folder.number, temporary, parent.folder.number, parent.name)
        guard result != 0, errno == EINVAL || errno == ENOSYS else { return result }
        return linkat(folder.number, temporary, parent.folder.number, parent.name, 0)
    }

    /// Puts the file in the place of the one that has the name.
    ///
    /// The kernel cannot link over a name, so a file without one is given the name `.rawmill-<name>.tmp` first. That
    /// name is the same for everybody: what a kill leaves there, the next replacement of the same file takes away.
    ///
    /// - Returns: false where another replacement took it away so that the file is gone, and has to be written again.
    func replaceName(of parent: Parent, _ path: [UInt8]) throws(StorageError) -> Bool {
        if let temporary {
            if renameat(folder.number, temporary, parent.folder.number, parent.name) == 0 { return true }
            throw StorageError(errno: errno, "replace", path)
        }
        let next = TemporaryName.replacement(for: parent.name)
        for _ in 0..<64 {
            if rawmill_link_descriptor(file.number, parent.folder.number, next) == 0 {
                if renameat(parent.folder.number, next, parent.folder.number, parent.name) == 0 { return true }
                // Somebody else took our name away: again.
                if errno != ENOENT { throw StorageError(errno: errno, "replace", path) }
            } else if errno == EEXIST {
                unlinkat(parent.folder.number, next, 0)
            } else if errno == ENOENT {
                // Its only name was taken away: the kernel gives such a file no other.
                return false
            } else {
                throw StorageError(errno: errno, "replace", path)
            }
        }
        throw StorageError(errno: EBUSY, "replace", path)
    }
}

/// Names of files that are not finished.
enum TemporaryName {
    private static let prefix = Array(".rawmill-".utf8)
    private static let suffix = Array(".tmp".utf8)

    /// `.rawmill-<random>.tmp`, zero-terminated.
    static func fresh() -> [CChar] {
        let number = UInt64.random(in: .min ... .max)
        return terminated(prefix + Array(String(number, radix: 16).utf8) + suffix)
    }

    /// `.rawmill-<name>.tmp` for a zero-terminated name, cut to what a file system takes.
    static func replacement(for name: [CChar]) -> [CChar] {
        let plain = name.dropLast().map(UInt8.init(bitPattern:))
        return terminated(prefix + plain.suffix(200) + suffix)
    }

    static func matches(_ name: [UInt8]) -> Bool {
        name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
    }

    private static func terminated(_ name: [UInt8]) -> [CChar] { name.map(CChar.init(bitPattern:)) + [0] }
}
