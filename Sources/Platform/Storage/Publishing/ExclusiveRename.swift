internal import CFiles
internal import Glibc

extension EntryLocation {
    /// Renames without replacing, by the best means of the file system: the kernel's call; otherwise a hard link, which
    /// fails if the name is taken (NFS); otherwise a check of the name before (exFAT and others by FUSE). Only the last
    /// can replace a file that another program creates in that moment.
    ///
    /// - Returns: 0, or -1 with `errno`: `EEXIST` if the name is taken.
    func renameWithoutReplacing(to target: EntryLocation) -> Int32 {
        let (from, to) = (folder.number, target.folder.number)
        if unsafe rawmill_rename_without_replacing(from, name, to, target.name) == 0 { return 0 }
        guard errno == EINVAL || errno == ENOSYS else { return -1 }
        if unsafe linkat(from, name, to, target.name, 0) == 0 {
            unsafe unlinkat(from, name, 0)
            return 0
        }
        guard Self.lacksHardLinks(errno) else { return -1 }
        if unsafe faccessat(to, target.name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { errno = EEXIST }
        return unsafe errno == ENOENT ? renameat(from, name, to, target.name) : -1
    }

    /// Whether linking failed because the file system, or this file, allows no more hard links.
    static func lacksHardLinks(_ number: Int32) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(number) }
}
