/// System calls that glibc 2.36 has no function for, or only in forms Swift cannot import.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// openat2(2) with RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS. Returns a descriptor, or -1 with errno set.
int rawmill_openat2_beneath(int directory, const char *path, uint64_t flags, uint64_t mode);

/// A file without a name in a folder (O_TMPFILE). Returns a descriptor, or -1 with errno set; EOPNOTSUPP, EISDIR or
/// EINVAL where the file system has none.
int rawmill_open_unnamed(int folder, uint64_t mode);

/// Gives the file of a descriptor a name, unless the name is taken (EEXIST). Returns 0, or -1 with errno set.
int rawmill_link_descriptor(int descriptor, int folder, const char *name);

/// renameat2(2) with RENAME_NOREPLACE. Returns 0, or -1 with errno set; EINVAL where the file system cannot (NFS).
int rawmill_rename_without_replacing(int from_folder, const char *from, int to_folder, const char *to);

/// O_PATH.
extern const int rawmill_open_path_only;

/// Starts a program in a process group of its own, with no signal blocked or ignored, `channel` as descriptor 3, the
/// null device as 0 and 1 (and 2 unless `keeps_errors`), and nothing else open. Returns 0 or an error number.
int rawmill_spawn(
    const char *program, char *const arguments[], char *const environment[], int channel, int keeps_errors,
    pid_t *child);

/// Has the kernel kill this process when the thread that started it ends. Returns 0, or -1 where that thread's
/// process, `parent`, is gone already.
int rawmill_end_with_parent(pid_t parent);

/// Bounds this process's address space, and lets it leave no core file. Returns 0, or -1 with errno set.
int rawmill_limit_memory(uint64_t address_space_bytes);

/// The best x86-64 level of the processor and this kernel, 1 to 4 (x86-64 psABI, "micro-architecture levels"); 0 on
/// another kind of processor.
int rawmill_x86_64_level(void);
