#define _GNU_SOURCE
#include "CProcesses.h"
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static int spawn_attributes(posix_spawnattr_t *attributes) {
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    posix_spawnattr_setsigmask(attributes, &none);
    posix_spawnattr_setsigdefault(attributes, &all);
    posix_spawnattr_setpgroup(attributes, 0);
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

static int spawn_descriptors(posix_spawn_file_actions_t *actions, int channel, int inherits_errors) {
    int error = posix_spawn_file_actions_adddup2(actions, channel, 3);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    if (!error) error = posix_spawn_file_actions_addopen(actions, 1, "/dev/null", O_WRONLY, 0);
    if (!error && !inherits_errors) error = posix_spawn_file_actions_addopen(actions, 2, "/dev/null", O_WRONLY, 0);
    if (!error) error = posix_spawn_file_actions_addclosefrom_np(actions, 4);
    return error;
}

int rawmill_spawn(
    const char *program, char *const arguments[], char *const environment[], int channel, int inherits_errors,
    pid_t *child) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int error = posix_spawnattr_init(&attributes);
    if (error) return error;
    error = posix_spawn_file_actions_init(&actions);
    if (!error) {
        error = spawn_attributes(&attributes);
        if (!error) error = spawn_descriptors(&actions, channel, inherits_errors);
        if (!error) error = posix_spawn(child, program, &actions, &attributes, arguments, environment);
        posix_spawn_file_actions_destroy(&actions);
    }
    posix_spawnattr_destroy(&attributes);
    return error;
}

// The parent may have ended before prctl: no signal will come then.
int rawmill_end_with_parent(pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
    return getppid() == parent ? 0 : -1;
}

int rawmill_limit_memory(uint64_t address_space_bytes) {
    struct rlimit memory = {.rlim_cur = address_space_bytes, .rlim_max = address_space_bytes};
    struct rlimit core = {0};
    if (setrlimit(RLIMIT_CORE, &core) != 0) return -1;
    return setrlimit(RLIMIT_AS, &memory);
}

// The compiler's built-in also checks which registers the kernel saves (XGETBV).
int rawmill_x86_64_level(void) {
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("x86-64-v4")) return 4;
    if (__builtin_cpu_supports("x86-64-v3")) return 3;
    if (__builtin_cpu_supports("x86-64-v2")) return 2;
    return 1;
#else
    return 0;
#endif
}

void rawmill_keep_freed_memory(void) {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 8 << 20);
}
