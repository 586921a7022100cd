internal import CFiles
internal import Glibc

extension EntryLocation {
    /// Renames without replacing, by what the file system has: the kernel's own call; else (NFS) a hard link, which fails if the name
    /// is taken; else (exFAT and others by FUSE) a look at the name before. There alone a file is replaced that another program
    /// puts under the name within that moment.
    ///
    /// - Returns: 0, or -1 with the cause in `errno`: `EEXIST` if the name is taken.
    func renameWithoutReplacing(to target: EntryLocation) -> Int32 {
        let (from, to) = (folder.number, target.folder.number)
        if rawmill_rename_without_replacing(from, name, to, target.name) == 0 { return 0 }
        guard errno == EINVAL || errno == ENOSYS else { return -1 }
        if linkat(from, name, to, target.name, 0) == 0 {
            unlinkat(from, name, 0)
            return 0
        }
        guard Self.lacksHardLinks(errno) else { return -1 }
        if faccessat(to, target.name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 { errno = EEXIST }
        return errno == ENOENT ? renameat(from, name, to, target.name) : -1
    }

    /// Whether a link failed because the file system has none, or gives this file none.
    static func lacksHardLinks(_ number: Int32) -> Bool { [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(number) }
}
