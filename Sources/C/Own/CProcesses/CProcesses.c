#define _GNU_SOURCE
#include "CProcesses.h"
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <sys/uio.h>
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

// If the parent ended before prctl, no signal will come.
int rawmill_end_with_parent(pid_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
    return getppid() == parent ? 0 : -1;
}

int rawmill_limit_processor_time(pid_t process, uint64_t seconds) {
    struct rlimit limit;
    if (prlimit(process, RLIMIT_CPU, NULL, &limit) != 0) return -1;
    limit.rlim_cur = seconds < limit.rlim_max ? seconds : limit.rlim_max;
    return prlimit(process, RLIMIT_CPU, &limit, NULL);
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

void rawmill_return_freed_memory(void)
{
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
    mallopt(M_TRIM_THRESHOLD, 128 << 10);
}

int rawmill_clock_is_synchronised(void) {
    struct timex state = {.modes = 0};
    if (adjtimex(&state) < 0) return -1;
    return (state.status & STA_UNSYNC) == 0;
}

// Aligned as the kernel's header requires.
union descriptor_message {
    char bytes[CMSG_SPACE(rawmill_max_descriptors * sizeof(int))];
    struct cmsghdr header;
};

ssize_t rawmill_send_descriptors(
    int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    if (descriptor_count < 0 || descriptor_count > rawmill_max_descriptors) {
        errno = EINVAL;
        return -1;
    }
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union descriptor_message control;
    if (descriptor_count > 0) {
        size_t size = (size_t)descriptor_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), descriptors, size);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t rawmill_receive_descriptors(int socket, void *bytes, size_t count, int *descriptors, int *descriptor_count) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union descriptor_message control;
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    *descriptor_count = 0;
    ssize_t received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int index = 0; index < found; index++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + index * sizeof(int), sizeof descriptor);
            if (*descriptor_count < rawmill_max_descriptors) {
                descriptors[(*descriptor_count)++] = descriptor;
            } else {
                close(descriptor);
            }
        }
    }
    return received;
}
