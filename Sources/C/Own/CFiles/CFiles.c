#define _GNU_SOURCE
#include "CFiles.h"
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
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

// linkat with AT_EMPTY_PATH needs a capability before Linux 6.10. Linking the descriptor's path in /proc needs none.
int rawmill_link_descriptor(int descriptor, int folder, const char *name) {
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, self, folder, name, AT_SYMLINK_FOLLOW);
}

int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

const int rawmill_open_path_only = O_PATH;

int rawmill_begin_sync(int descriptor) {
    return sync_file_range(descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
}
