/// What a process can give up for good, by system calls that Swift cannot import.
#pragma once
#include <stdint.h>

/// How many threads this process has; -1 if the kernel does not say.
int rawmill_thread_count(void);

/// Makes local time UTC, so that no later call looks for the machine's time zone.
void rawmill_use_utc(void);

/// What rawmill_set_limit(2) limits: setrlimit(2).
enum rawmill_limit {
    rawmill_limit_core,
    rawmill_limit_address_space,
    rawmill_limit_file_size,
    rawmill_limit_descriptors,
    rawmill_limit_processes,
};

/// Lowers a limit of this process, for good. Returns 0, or -1 with errno set.
int rawmill_set_limit(enum rawmill_limit limit, uint64_t value);

/// How many processes and threads there are on the machine, sysinfo(2).
uint64_t rawmill_process_count(void);

/// PR_SET_NO_NEW_PRIVS: no program that this process starts can get rights that it does not have. Returns 0, or -1 with
/// errno set.
int rawmill_set_no_new_privileges(void);

/// Gives up all capabilities: effective, permitted, inheritable, ambient, and where it may the bounding set. Returns 0, or -1
/// with errno set.
int rawmill_drop_capabilities(void);

/// The version of the kernel's Landlock interface, from 1; 0 if it has none, or it is switched off.
int rawmill_landlock_version(void);

/// Denies this process, by Landlock, all access to files that it has not open, and as far as the kernel's version can:
/// TCP, abstract Unix sockets of other processes, and signals to them. Returns 0, or -1 with errno set.
int rawmill_landlock_deny_all(int version);

/// True if the kernel can end a process for a forbidden system call, seccomp(2).
int rawmill_has_seccomp(void);
