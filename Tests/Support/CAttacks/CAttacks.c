#define _GNU_SOURCE
#include "CAttacks.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define WORKED(condition) ((condition) ? 0 : errno)

static int opens(const char *path, int flags) { return WORKED(open(path, flags, 0600) >= 0); }

static int read_file(const struct rawmill_target *t) { return opens(t->file, O_RDONLY); }
static int write_file(const struct rawmill_target *t) { return opens(t->file, O_RDWR); }
static int read_accounts(const struct rawmill_target *t) { (void)t; return opens("/etc/passwd", O_RDONLY); }

static int create_file(const struct rawmill_target *t) {
    char path[4096];
    snprintf(path, sizeof path, "%s/planted", t->folder);
    return opens(path, O_WRONLY | O_CREAT);
}

static int create_unnamed_file(const struct rawmill_target *t) { return opens(t->folder, O_TMPFILE | O_RDWR); }
static int list_folder(const struct rawmill_target *t) { return WORKED(opendir(t->folder) != NULL); }

static int look_at_file(const struct rawmill_target *t) {
    struct stat facts;
    return WORKED(stat(t->file, &facts) == 0);
}

static int open_by_other_call(const struct rawmill_target *t) {
    uint64_t how[3] = {O_RDONLY, 0, 0};
    return WORKED(syscall(SYS_openat2, AT_FDCWD, t->file, how, sizeof how) >= 0);
}

static int delete_file(const struct rawmill_target *t) { return WORKED(unlink(t->file) == 0); }
static int truncate_file(const struct rawmill_target *t) { return WORKED(truncate(t->file, 0) == 0); }
static int change_rights(const struct rawmill_target *t) { return WORKED(chmod(t->file, 0777) == 0); }
static int change_open_files_rights(const struct rawmill_target *t) { return WORKED(fchmod(t->descriptor, 04777) == 0); }

static int rename_file(const struct rawmill_target *t) {
    char path[4096];
    snprintf(path, sizeof path, "%s.gone", t->file);
    return WORKED(rename(t->file, path) == 0);
}

static int link_file(const struct rawmill_target *t) {
    char path[4096];
    snprintf(path, sizeof path, "%s.link", t->file);
    return WORKED(link(t->file, path) == 0);
}

static int make_folder(const struct rawmill_target *t) {
    char path[4096];
    snprintf(path, sizeof path, "%s/planted-folder", t->folder);
    return WORKED(mkdir(path, 0700) == 0);
}

static int change_folder(const struct rawmill_target *t) { return WORKED(chdir(t->folder) == 0); }
static int change_root(const struct rawmill_target *t) { return WORKED(chroot(t->folder) == 0); }

static int mount_folder(const struct rawmill_target *t) {
    return WORKED(mount("none", t->folder, "tmpfs", 0, NULL) == 0);
}

static int read_parents_memory(const struct rawmill_target *t) {
    char copy[8];
    struct iovec here = {copy, sizeof copy}, there = {(void *)t->secret, sizeof copy};
    return WORKED(process_vm_readv(t->parent, &here, 1, &there, 1, 0) > 0);
}

static int read_parents_memory_file(const struct rawmill_target *t) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/mem", t->parent);
    return opens(path, O_RDONLY);
}

static int read_parents_environment(const struct rawmill_target *t) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/environ", t->parent);
    return opens(path, O_RDONLY);
}

static int trace_parent(const struct rawmill_target *t) {
    if (ptrace(PTRACE_SEIZE, t->parent, NULL, NULL) != 0) return errno;
    ptrace(PTRACE_DETACH, t->parent, NULL, NULL);
    return 0;
}

static int signal_parent(const struct rawmill_target *t) { return WORKED(kill(t->parent, SIGURG) == 0); }
static int limit_parent(const struct rawmill_target *t) {
    struct rlimit limit;
    return WORKED(prlimit(t->parent, RLIMIT_CORE, NULL, &limit) == 0);
}

static int take_parents_descriptor(const struct rawmill_target *t) {
    long process = syscall(SYS_pidfd_open, t->parent, 0);
    return WORKED(process >= 0 && syscall(SYS_pidfd_getfd, process, 0, 0) >= 0);
}

static int connect_out(const struct rawmill_target *t) {
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connection < 0) return errno;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(t->port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return WORKED(connect(connection, (struct sockaddr *)&address, sizeof address) == 0);
}

static int listen_for_others(const struct rawmill_target *t) {
    (void)t;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    return WORKED(
        door >= 0 && bind(door, (struct sockaddr *)&address, sizeof address) == 0 && listen(door, 1) == 0);
}

static int make_socket_pair(const struct rawmill_target *t) {
    (void)t;
    int ends[2];
    return WORKED(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
}

static int start_process(const struct rawmill_target *t) {
    (void)t;
    pid_t child = fork();
    if (child < 0) return errno;
    if (child == 0) _exit(0);
    return WORKED(waitpid(child, NULL, 0) == child);
}

static int start_program(const struct rawmill_target *t) {
    (void)t;
    execl("/bin/true", "true", (char *)NULL);
    return errno;
}

static int run_memory(const struct rawmill_target *t) {
    (void)t;
    return WORKED(mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED);
}

static int run_written_memory(const struct rawmill_target *t) {
    (void)t;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return WORKED(page != MAP_FAILED && mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
}

static int make_namespace(const struct rawmill_target *t) { (void)t; return WORKED(unshare(CLONE_NEWUSER) == 0); }
static int become_root(const struct rawmill_target *t) { (void)t; return WORKED(setuid(0) == 0); }
static int raise_limits(const struct rawmill_target *t) {
    (void)t;
    struct rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
    return WORKED(setrlimit(RLIMIT_CPU, &limit) == 0);
}

static int ignore_time_limit(const struct rawmill_target *t) {
    (void)t;
    return WORKED(signal(SIGXCPU, SIG_IGN) != SIG_ERR);
}

static int ask_by_ring(const struct rawmill_target *t) {
    (void)t;
    char parameters[120] = {0};
    return WORKED(syscall(SYS_io_uring_setup, 1, parameters) >= 0);
}

static int load_program_into_kernel(const struct rawmill_target *t) {
    (void)t;
    char attributes[128] = {0};
    return WORKED(syscall(SYS_bpf, 0, attributes, sizeof attributes) >= 0);
}

static int read_keys(const struct rawmill_target *t) { (void)t; return WORKED(syscall(SYS_keyctl, 0, -3, 1) >= 0); }
static int watch_machine(const struct rawmill_target *t) {
    (void)t;
    return WORKED(syscall(SYS_syslog, 10, NULL, 0) >= 0);
}

static int type_into_terminal(const struct rawmill_target *t) {
    (void)t;
    return WORKED(syscall(SYS_ioctl, 2, 0x5412, "x") == 0);
}

static int take_memory(const struct rawmill_target *t) {
    (void)t;
    return WORKED(mmap(NULL, 1ull << 40, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED);
}

static int write_large_file(const struct rawmill_target *t) {
    static char page[1 << 16];
    for (int count = 0; count < 64; count++) {
        if (write(t->descriptor, page, sizeof page) < 0) return errno;
    }
    return 0;
}

static int compute_for_ever(const struct rawmill_target *t) {
    (void)t;
    for (volatile unsigned long count = 0;; count++) {}
    return 0;
}

static void *nothing(void *argument) { return argument; }

// What a decoder needs. If this were stopped, so would be every photo.
static int start_thread(const struct rawmill_target *t) {
    (void)t;
    pthread_t thread;
    int error = pthread_create(&thread, NULL, nothing, NULL);
    if (!error) pthread_join(thread, NULL);
    return error;
}

static int allocate(const struct rawmill_target *t) {
    (void)t;
    char *block = malloc(64 << 20);
    if (!block) return ENOMEM;
    memset(block, 1, 64 << 20);
    free(block);
    return 0;
}

static int write_given_file(const struct rawmill_target *t) { return WORKED(write(t->descriptor, "x", 1) == 1); }

#define ATTACK(name) {#name, name}
static const struct {
    const char *name;
    int (*make)(const struct rawmill_target *);
} attacks[] = {
    ATTACK(read_file), ATTACK(write_file), ATTACK(read_accounts), ATTACK(create_file), ATTACK(create_unnamed_file),
    ATTACK(list_folder), ATTACK(look_at_file), ATTACK(open_by_other_call), ATTACK(delete_file), ATTACK(truncate_file),
    ATTACK(change_rights), ATTACK(change_open_files_rights), ATTACK(rename_file), ATTACK(link_file),
    ATTACK(make_folder), ATTACK(change_folder), ATTACK(change_root), ATTACK(mount_folder),
    ATTACK(read_parents_memory), ATTACK(read_parents_memory_file), ATTACK(read_parents_environment),
    ATTACK(trace_parent), ATTACK(signal_parent), ATTACK(limit_parent), ATTACK(take_parents_descriptor),
    ATTACK(connect_out), ATTACK(listen_for_others), ATTACK(make_socket_pair), ATTACK(start_process),
    ATTACK(start_program), ATTACK(run_memory), ATTACK(run_written_memory), ATTACK(make_namespace), ATTACK(become_root),
    ATTACK(raise_limits), ATTACK(ignore_time_limit), ATTACK(ask_by_ring), ATTACK(load_program_into_kernel),
    ATTACK(read_keys), ATTACK(watch_machine), ATTACK(type_into_terminal), ATTACK(take_memory),
    ATTACK(write_large_file), ATTACK(compute_for_ever), ATTACK(start_thread), ATTACK(allocate),
    ATTACK(write_given_file),
};

const int rawmill_attack_count = sizeof attacks / sizeof *attacks;

const char *rawmill_attack_name(int index) {
    return index >= 0 && index < rawmill_attack_count ? attacks[index].name : NULL;
}

int rawmill_attack(const char *name, const struct rawmill_target *target) {
    for (int index = 0; index < rawmill_attack_count; index++) {
        if (strcmp(attacks[index].name, name) == 0) return attacks[index].make(target);
    }
    return -1;
}

int rawmill_given_file(const char *folder) { return open(folder, O_TMPFILE | O_RDWR, 0600); }
