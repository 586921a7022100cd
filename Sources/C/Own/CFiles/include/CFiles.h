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

/// renameat2(2) with RENAME_EXCHANGE: two names of a folder swap their files. Returns 0, or -1 with errno set: ENOENT if a
/// name is missing, EINVAL if the file system cannot do that (NFS).
int rawmill_exchange(int folder, const char *one, const char *other);

/// FICLONE: the target gets the source's contents by sharing its blocks until one of the two is written. Returns 0, or
/// -1 with errno set: EOPNOTSUPP, EXDEV, EINVAL or ENOTTY if the file system cannot do that.
int rawmill_clone(int target, int source);

/// copy_file_range(2) from position to position. Returns how many bytes were copied, 0 at the end of the source, or -1
/// with errno set.
int64_t rawmill_copy_range(int source, int target, uint64_t bytes);

/// True if any process has the file open for writing, as far as the file system and this process's rights can tell. The
/// descriptor must be open for reading only.
int rawmill_has_writer(int descriptor);

/// sync_file_range(2): makes the kernel start writing the file's changed pages, without waiting for it. Returns 0, or -1
/// with errno set: ESPIPE if the file system cannot do that.
int rawmill_begin_sync(int descriptor);

/// syncfs(2): returns when everything that was written to the descriptor's file system survives a power cut. Returns 0, or
/// -1 with errno set: EOPNOTSUPP for a file system that is not known to keep that promise. With FUSE, for example, the
/// system call succeeds and the program behind it has heard nothing.
int rawmill_sync_file_system(int descriptor);

/// fstat(2) into a struct stat, by the system call of that name, which a sandbox can allow without allowing to look at paths. Returns 0, or -1
/// with errno set.
int rawmill_fstat(int descriptor, void *facts);

/// O_PATH.
extern const int rawmill_open_path_only;
