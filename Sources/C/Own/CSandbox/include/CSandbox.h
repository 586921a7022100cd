/// Irrevocable restrictions of a process, by system calls that Swift cannot import.
#pragma once
#include <stdint.h>

/// Number of threads of this process; -1 if unknown.
int rawmill_thread_count(void);

/// Makes local time UTC, so that no later call reads the machine's time zone.
void rawmill_use_utc(void);

enum rawmill_limit {
    rawmill_limit_core,
    rawmill_limit_address_space,
    rawmill_limit_file_size,
    rawmill_limit_descriptors,
    rawmill_limit_processes,
};

/// Lowers a limit of this process for good, setrlimit(2). Returns 0, or -1 with errno set.
int rawmill_set_limit(enum rawmill_limit limit, uint64_t value);

/// Number of processes and threads on the machine, sysinfo(2).
uint64_t rawmill_process_count(void);

/// PR_SET_NO_NEW_PRIVS: programs started by this process gain no privileges. Returns 0, or -1 with errno set.
int rawmill_set_no_new_privileges(void);

/// Drops all capabilities: effective, permitted, inheritable, ambient, and if possible the bounding set. Returns 0, or
/// -1 with errno set.
int rawmill_drop_capabilities(void);

/// Version of the kernel's Landlock ABI, from 1; 0 if missing or disabled.
int rawmill_landlock_version(void);

/// Denies this process, by Landlock, access to files that it has not open and, as far as the kernel's version allows,
/// TCP, abstract Unix sockets of other processes, and signals to them. Returns 0, or -1 with errno set.
int rawmill_landlock_deny_all(int version);

/// True if the kernel can kill a process for a forbidden system call, seccomp(2).
int rawmill_has_seccomp(void);
