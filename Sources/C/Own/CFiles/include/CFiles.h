/// System calls for files that glibc 2.36 has no function for, or only in forms Swift cannot import.
#pragma once
#include <stdint.h>

/// openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS. Returns a descriptor, or -1 with errno set.
int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode);

/// A file without a name in a folder (O_TMPFILE). Returns a descriptor, or -1 with errno set; EOPNOTSUPP, EISDIR or
/// EINVAL where the file system has none.
int rawmill_open_unnamed(int folder, uint64_t mode);

/// Gives the file of a descriptor a name, unless the name is taken (EEXIST). Returns 0, or -1 with errno set.
int rawmill_link_descriptor(int descriptor, int folder, const char *name);

/// renameat2(2) with RENAME_NOREPLACE. Returns 0, or -1 with errno set; EINVAL where the file system cannot (NFS).
int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// sync_file_range(2): has the kernel begin to write the file's changed pages, without waiting for them. Returns 0, or -1
/// with errno set; ESPIPE where the file system has none.
int rawmill_begin_sync(int descriptor);

/// O_PATH.
extern const int rawmill_open_path_only;
