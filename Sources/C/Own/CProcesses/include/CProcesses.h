/// System calls for processes that Swift cannot import, or must not make between fork and exec.
#pragma once
#include <stdint.h>
#include <sys/types.h>

/// Starts a program in a new process group, with no signal blocked or ignored. `channel` becomes its descriptor 3; 0
/// and 1 (and 2, unless `inherits_errors`) are the null device; no other descriptor is open. Returns 0 or an error
/// number.
int rawmill_spawn(
    const char *program, char *const arguments[], char *const environment[], int channel, int inherits_errors,
    pid_t *child);

/// Lets the kernel kill this process when the thread that started it ends. Returns 0, or -1 if that thread's process,
/// `parent`, has already ended.
int rawmill_end_with_parent(pid_t parent);

/// Lets the kernel send SIGXCPU to a process once it has used this much processor time. Returns 0, or -1 with errno
/// set.
int rawmill_limit_processor_time(pid_t process, uint64_t seconds);

/// Raises the heap's thresholds for returning memory to the kernel, mallopt(3): allocates blocks below 4 MiB from the
/// heap, and keeps up to 8 MiB of free memory at its top.
void rawmill_keep_freed_memory(void);

/// Lets the heap return freed memory at once, and limits it to two arenas, mallopt(3). Otherwise a server whose threads
/// come and go keeps the peak memory of each.
void rawmill_return_freed_memory(void);

/// x86-64 microarchitecture level that processor and kernel support, 1 to 4 (System V AMD64 psABI); 0 on other
/// processors.
int rawmill_x86_64_level(void);

/// Whether the kernel's clock is synchronised, adjtimex(2): 1 if so, 0 if not, -1 if unknown.
int rawmill_clock_is_synchronised(void);

/// Maximum number of descriptors per message.
enum { rawmill_max_descriptors = 32 };

/// Sends bytes over a Unix socket, and with the first of them descriptors, which are duplicated in the receiver. Does
/// not raise SIGPIPE. Returns the number of bytes sent, or -1 with errno set: EINVAL for too many descriptors.
ssize_t rawmill_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives bytes with their descriptors, which are close-on-exec. `descriptors` has room for rawmill_max_descriptors.
/// Returns the number of bytes received, 0 at the end, or -1 with errno set; always sets `descriptor_count`.
ssize_t rawmill_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count);
