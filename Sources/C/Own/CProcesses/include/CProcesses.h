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

/// Has the kernel send SIGXCPU to a process when it has used so much processor time in all. Returns 0, or -1 with errno set.
int rawmill_limit_processor_time(pid_t process, uint64_t seconds);

/// Raises the heap's thresholds for giving memory back to the kernel, mallopt(3): blocks below 4 MiB come from the
/// heap, and up to 8 MiB of free memory stay at its top.
void rawmill_keep_freed_memory(void);

/// Lets the heap give memory back to the kernel as soon as it is freed, and share two arenas among all threads, mallopt(3):
/// else a server whose threads come and go keeps what each of them once needed.
void rawmill_return_freed_memory(void);

/// The x86-64 micro-architecture level of the processor, as far as the kernel supports it: 1 to 4 (System V AMD64
/// psABI). 0 on another kind of processor.
int rawmill_x86_64_level(void);

/// Whether the kernel's clock is kept right by something, adjtimex(2): 1 if so, 0 if not, -1 if the kernel does not say.
int rawmill_clock_is_synchronised(void);

/// The most descriptors that one message can carry here.
enum { rawmill_max_descriptors = 32 };

/// Sends bytes over a Unix socket, and with the first of them descriptors: the receiver gets copies. No signal comes if the
/// other side is gone. Returns how many bytes were sent, or -1 with errno set: EINVAL for too many descriptors.
ssize_t rawmill_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives bytes, and the descriptors that came with them, which no other program inherits. `descriptors` has room for
/// rawmill_max_descriptors. Returns how many bytes came, 0 at the end, or -1 with errno set; `descriptor_count` is always
/// set.
ssize_t rawmill_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count);
