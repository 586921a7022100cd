/// System calls for processes that Swift cannot import, or must not make between fork and exec.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// Starts a program in a process group of its own. No signal is blocked or ignored in it. `channel` becomes its
/// descriptor 3; 0 and 1 (and 2, unless `inherits_errors`) are the null device; no other descriptor is open. Returns 0
/// or an error number.
int rawmill_spawn(
    const char *program, char *const arguments[], char *const environment[], int channel, int inherits_errors,
    pid_t *child);

/// Has the kernel kill this process when the thread that started it ends. Returns 0, or -1 if the process of that
/// thread, `parent`, is gone already.
int rawmill_end_with_parent(pid_t parent);

/// Limits this process's address space and turns core files off. Returns 0, or -1 with errno set.
int rawmill_limit_memory(uint64_t address_space_bytes);

/// Raises the heap's thresholds for giving memory back to the kernel, mallopt(3): blocks below 4 MiB come from the
/// heap, and up to 8 MiB of free memory stay at its top.
void rawmill_keep_freed_memory(void);

/// The x86-64 micro-architecture level of the processor, as far as the kernel supports it: 1 to 4 (System V AMD64
/// psABI). 0 on another kind of processor.
int rawmill_x86_64_level(void);
