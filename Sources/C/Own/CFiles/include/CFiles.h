/// System calls for files that glibc 2.36 lacks, or that Swift cannot import.
#pragma once
#include <stdint.h>

/// openat2(2) with RESOLVE_BENEATH
/// RESOLVE_NO_MAGICLINKS. Returns a descriptor, or -1 with errno set.
int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode);

/// Creates an unnamed file in a folder (O_TMPFILE). Returns a descriptor, or -1 with errno set: EOPNOTSUPP, EISDIR or
/// EINVAL if unsupported.
int rawmill_open_unnamed(int folder, uint64_t mode);

/// Links a descriptor's file. Returns 0, or -1 with errno set: EEXIST if the name is taken.
int rawmill_link_descriptor(int descriptor, int folder, const char *name);

/// renameat2(2) with RENAME_NOREPLACE. Returns 0, or -1 with errno set: EEXIST if the name is taken, EINVAL if
/// unsupported (NFS).
int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// renameat2(2) with RENAME_EXCHANGE: two names in a folder exchange their files. Returns 0, or -1 with errno set:
/// ENOENT if a name is missing, EINVAL if unsupported (NFS).
int rawmill_exchange(int folder, const char *one, const char *other);

/// FICLONE: the target shares the source's blocks until either is written. Returns 0, or -1 with errno set: EOPNOTSUPP,
/// EXDEV, EINVAL or ENOTTY if unsupported.
int rawmill_clone(int target, int source);

/// copy_file_range(2) at the current positions. Returns the number of bytes copied, 0 at the end of the source, or -1
/// with errno set.
int64_t rawmill_copy_range(int source, int target, uint64_t bytes);

/// True if any process has the file open for writing, as far as file system and permissions reveal. The descriptor must
/// be read-only.
int rawmill_has_writer(int descriptor);

/// sync_file_range(2): starts writing the file's dirty pages, without waiting. Returns 0, or -1 with errno set: ESPIPE
/// if unsupported.
int rawmill_begin_sync(int descriptor);

/// syncfs(2): waits until all data on the descriptor's file system survives a power failure. Returns 0, or -1 with
/// errno set: EOPNOTSUPP for a file system that is not known to guarantee this. With FUSE, for example, the call
/// succeeds without informing the program behind it.
int rawmill_sync_file_system(int descriptor);

/// fstat(2) by the system call of that name, which a sandbox can allow without allowing access to paths. `facts` is a
/// struct stat. Returns 0, or -1 with errno set.
int rawmill_fstat(int descriptor, void *facts);

/// O_PATH.
extern const int rawmill_open_path_only;
