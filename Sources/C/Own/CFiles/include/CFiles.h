/// System calls for files that glibc 2.36 has no function for, or only in a form that Swift cannot import.
#pragma once
#include <stdint.h>

/// openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS. Returns a descriptor, or -1 with errno set.
int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode);

/// Creates a file without a name in a folder (O_TMPFILE). Returns a descriptor, or -1 with errno set: EOPNOTSUPP, EISDIR
/// or EINVAL if the file system cannot do that.
int rawmill_open_unnamed(int folder, uint64_t mode);

/// Gives the file of a descriptor a name. Returns 0, or -1 with errno set: EEXIST if the name is taken.
int rawmill_link_descriptor(int descriptor, int folder, const char *name);

/// renameat2(2) with RENAME_NOREPLACE. Returns 0, or -1 with errno set: EEXIST if the name is taken, EINVAL if the file
/// system cannot do that (NFS).
int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// sync_file_range(2): makes the kernel start writing the file's changed pages, without waiting for it. Returns 0, or -1
/// with errno set: ESPIPE if the file system cannot do that.
int rawmill_begin_sync(int descriptor);

/// O_PATH.
extern const int rawmill_open_path_only;
