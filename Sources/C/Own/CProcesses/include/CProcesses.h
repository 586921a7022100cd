/// System calls for processes that Swift cannot import, or must not make between fork and exec.
#pragma once
#include <stdint.h>
#include <sys/types.h>

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

/// Sets the heap's limits for giving memory back to the kernel, mallopt(3).
void rawmill_keep_freed_memory(void);

/// The best x86-64 level of the processor and this kernel, 1 to 4 (x86-64 psABI, "micro-architecture levels"); 0 on
/// another kind of processor.
int rawmill_x86_64_level(void);
