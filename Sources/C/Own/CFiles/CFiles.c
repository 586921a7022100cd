#define _GNU_SOURCE
#include "CFiles.h"
#include <fcntl.h>
#include <errno.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <signal.h>
#include <stdio.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode) {
    struct open_how how = {
        .flags = flags,
        .mode = mode,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

int rawmill_open_unnamed(int folder, uint64_t mode) {
    return openat(folder, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, (mode_t)mode);
}

// linkat with AT_EMPTY_PATH needs a capability before Linux 6.10; linking the descriptor's path in /proc does not.
int rawmill_link_descriptor(int descriptor, int folder, const char *name) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, self, folder, name, AT_SYMLINK_FOLLOW);
}

int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int rawmill_exchange(int folder, const char *one, const char *other) {
    return renameat2(folder, one, folder, other, RENAME_EXCHANGE);
}

int rawmill_clone(int target, int source) { return ioctl(target, FICLONE, source); }

int64_t rawmill_copy_range(int source, int target, uint64_t bytes) {
    return copy_file_range(source, NULL, target, NULL, (size_t)bytes, 0);
}

// A read lease is refused while any descriptor or shared mapping can write to the file. Breaking a lease sends SIGIO by
// default, which would kill the process; SIGURG is ignored by default.
int rawmill_has_writer(int descriptor) {
    if (fcntl(descriptor, F_SETSIG, SIGURG) != 0) return 0;
    if (fcntl(descriptor, F_SETLEASE, F_RDLCK) != 0) return errno == EAGAIN;
    fcntl(descriptor, F_SETLEASE, F_UNLCK);
    return 0;
}

// glibc's fstat makes the system call of fstatat(2), which can inspect any path.
int rawmill_fstat(int descriptor, void *facts) { return (int)syscall(SYS_fstat, descriptor, facts); }

const int rawmill_open_path_only = O_PATH;

int rawmill_begin_sync(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}

// From <xfs/xfs.h>, which is not part of the C library.
enum { RAWMILL_XFS_SUPER_MAGIC = 0x58465342 };

int rawmill_sync_file_system(int descriptor) {
    struct statfs facts;
    if (fstatfs(descriptor, &facts) != 0) return -1;
    switch ((uint32_t)facts.f_type) {
    case EXT4_SUPER_MAGIC:
    case RAWMILL_XFS_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case F2FS_SUPER_MAGIC:
    // In memory: there is nothing to wait for.
    case TMPFS_MAGIC:
        return syncfs(descriptor);
    default:
        errno = EOPNOTSUPP;
        return -1;
    }
}
