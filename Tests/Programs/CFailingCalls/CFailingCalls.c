// It stands in for functions that glibc would check.
#undef _FORTIFY_SOURCE
#define _GNU_SOURCE
#include "CFailingCalls.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *below, *log_file, *lacking;
static long failing_call;
static int failing_error, fails_after;
static atomic_long calls;

static long number(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? atol(text) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    log_file = getenv("FAILING_CALLS_LOG");
    failing_call = number("FAILING_CALL", 0);
    failing_error = (int)number("FAILING_ERROR", EIO);
    fails_after = getenv("FAILING_CALLS_AFTER") != NULL;
    below = getenv("FAILING_CALLS_BELOW");
    lacking = getenv("FAILING_CALLS_LACKING");
}

// The functions of this library must not count their own calls.
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static void note(const char *name, const char *path, long call) {
    if (!log_file) return;
    int file = REAL(open)(log_file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
    if (file < 0) return;
    char line[PATH_MAX + 64];
    int count = snprintf(line, sizeof line, "%ld %s %s\n", call, name, path);
    if (count > 0) (void)!REAL(write)(file, line, (size_t)count);
    close(file);
}

// True, with errno set, where the file system is to have no such call at all.
static int lacks(const char *ability, const char *path, int error) {
    if (!lacking || !path || strncmp(path, below, strlen(below)) != 0 || !strstr(lacking, ability)) return 0;
    errno = error;
    return 1;
}

// Counts a call. True if it is to fail; errno is set then.
static int fails(const char *name, const char *path) {
    if (!path || strncmp(path, below, strlen(below)) != 0) return 0;
    int names = strncmp(name, "rename", 6) == 0 || strncmp(name, "mkdir", 5) == 0;
    if (names && strchr(path + strlen(below), ':') && lacks("colons", path, ENOENT)) return 1;
    int locks = strcmp(name, "fcntl") == 0 || strcmp(name, "flock") == 0;
    if (fails_after && locks) return 0;
    long call = atomic_fetch_add(&calls, 1) + 1;
    int failing = failing_call > 0 && (fails_after ? call >= failing_call : call == failing_call);
    int error = errno;
    if (failing || failing_call == 0) note(name, path, call);
    if (failing && failing_error == 0) kill(getpid(), SIGKILL);
    errno = failing ? failing_error : error;
    return failing;
}

// The path of a descriptor. NULL where nothing is to fail: a process in a sandbox may not even ask.
static const char *of_descriptor(int descriptor, char *path) {
    if (!below) return NULL;
    int error = errno;
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", descriptor);
    ssize_t count = descriptor == AT_FDCWD
        ? (getcwd(path, PATH_MAX) ? (ssize_t)strlen(path) : -1)
        : readlink(name, path, PATH_MAX - 1);
    errno = error;
    if (count < 0) return NULL;
    path[count] = 0;
    return path;
}

static const char *of_name(int folder, const char *name, char *path) {
    if (!below || !name) return NULL;
    if (name[0] == '/') return name;
    if (!of_descriptor(folder, path)) return NULL;
    size_t length = strlen(path);
    snprintf(path + length, 2 * PATH_MAX - length, "/%s", name);
    return path;
}

#define WRAP(result, name, path, parameters, arguments)      \
    result name parameters {                                 \
        char text[2 * PATH_MAX];                             \
        if (fails(#name, path)) return (result)-1;           \
        return REAL(name) arguments;                         \
    }

#define OF_FILE of_descriptor(file, text)
#define OF_PATH of_name(AT_FDCWD, path, text)

WRAP(ssize_t, read, OF_FILE, (int file, void *bytes, size_t count), (file, bytes, count))
WRAP(ssize_t, pread, OF_FILE, (int file, void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, pread64, OF_FILE, (int file, void *bytes, size_t count, off64_t at), (file, bytes, count, at))
WRAP(ssize_t, write, OF_FILE, (int file, const void *bytes, size_t count), (file, bytes, count))
WRAP(ssize_t, writev, OF_FILE, (int file, const struct iovec *parts, int count), (file, parts, count))
WRAP(ssize_t, pwrite, OF_FILE, (int file, const void *bytes, size_t count, off_t at), (file, bytes, count, at))
WRAP(ssize_t, pwrite64, OF_FILE, (int file, const void *bytes, size_t count, off64_t at), (file, bytes, count, at))
WRAP(
    ssize_t, copy_file_range, of_descriptor(target, text),
    (int file, off64_t * from, int target, off64_t *to, size_t count, unsigned flags),
    (file, from, target, to, count, flags))
WRAP(int, fsync, OF_FILE, (int file), (file))
WRAP(int, fdatasync, OF_FILE, (int file), (file))
WRAP(int, syncfs, OF_FILE, (int file), (file))
WRAP(int, ftruncate, OF_FILE, (int file, off_t size), (file, size))
WRAP(int, ftruncate64, OF_FILE, (int file, off64_t size), (file, size))
WRAP(int, fstat, OF_FILE, (int file, struct stat *facts), (file, facts))
WRAP(int, fstat64, OF_FILE, (int file, struct stat64 *facts), (file, facts))
WRAP(int, stat, OF_PATH, (const char *path, struct stat *facts), (path, facts))
WRAP(int, stat64, OF_PATH, (const char *path, struct stat64 *facts), (path, facts))
WRAP(int, lstat, OF_PATH, (const char *path, struct stat *facts), (path, facts))
WRAP(int, lstat64, OF_PATH, (const char *path, struct stat64 *facts), (path, facts))
WRAP(
    int, fstatat, of_name(folder, path, text), (int folder, const char *path, struct stat *facts, int flags),
    (folder, path, facts, flags))
WRAP(
    int, statx, of_name(folder, path, text),
    (int folder, const char *path, int flags, unsigned mask, struct statx *facts), (folder, path, flags, mask, facts))
#define WRAP_IF(ability, error, lacked, result, name, path, parameters, arguments)   \
    result name parameters {                                                          \
        char text[2 * PATH_MAX];                                                      \
        if ((lacked) && lacks(ability, path, error)) return (result)-1;               \
        if (fails(#name, path)) return (result)-1;                                    \
        return REAL(name) arguments;                                                  \
    }

WRAP_IF(
    "hard-links", EPERM, 1, int, link, of_name(AT_FDCWD, to, text), (const char *path, const char *to), (path, to))
WRAP_IF(
    "hard-links", EPERM, 1, int, linkat, of_name(target, to, text),
    (int folder, const char *path, int target, const char *to, int flags), (folder, path, target, to, flags))
WRAP(int, rename, of_name(AT_FDCWD, to, text), (const char *path, const char *to), (path, to))
WRAP(
    int, renameat, of_name(target, to, text), (int folder, const char *path, int target, const char *to),
    (folder, path, target, to))
WRAP_IF(
    flags == RENAME_EXCHANGE ? "exchange" : "exclusive-rename", EINVAL, flags != 0, int, renameat2,
    of_name(target, to, text), (int folder, const char *path, int target, const char *to, unsigned flags),
    (folder, path, target, to, flags))
WRAP(int, unlink, OF_PATH, (const char *path), (path))
WRAP(int, unlinkat, of_name(folder, path, text), (int folder, const char *path, int flags), (folder, path, flags))
WRAP(int, mkdir, OF_PATH, (const char *path, mode_t mode), (path, mode))
WRAP(int, mkdirat, of_name(folder, path, text), (int folder, const char *path, mode_t mode), (folder, path, mode))
WRAP(int, fchmod, OF_FILE, (int file, mode_t mode), (file, mode))
WRAP(int, futimens, OF_FILE, (int file, const struct timespec *times), (file, times))
WRAP(int, flock, OF_FILE, (int file, int operation), (file, operation))
WRAP(
    void *, mmap, file < 0 ? NULL : OF_FILE, (void *at, size_t size, int rights, int flags, int file, off_t from),
    (at, size, rights, flags, file, from))
WRAP(
    void *, mmap64, file < 0 ? NULL : OF_FILE, (void *at, size_t size, int rights, int flags, int file, off64_t from),
    (at, size, rights, flags, file, from))

#define WRAP_OPEN(name, of_path, parameters, arguments)                   \
    int name parameters {                                                 \
        char text[2 * PATH_MAX];                                          \
        va_list rest;                                                     \
        va_start(rest, flags);                                            \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
        va_end(rest);                                                     \
        if ((flags & O_TMPFILE) == O_TMPFILE && lacks("unnamed-files", of_path, EOPNOTSUPP)) return -1; \
        if (fails(#name, of_path)) return -1;                             \
        return REAL(name) arguments;                                      \
    }

WRAP_OPEN(open, OF_PATH, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, OF_PATH, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(
    openat, of_name(folder, path, text), (int folder, const char *path, int flags, ...), (folder, path, flags, mode))
WRAP_OPEN(
    openat64, of_name(folder, path, text), (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

// These give the error number itself.
#define WRAP_FALLOCATE(name, offset)                               \
    int name(int file, offset from, offset count) {                \
        char text[2 * PATH_MAX];                                   \
        if (fails(#name, OF_FILE)) return failing_error;           \
        return REAL(name)(file, from, count);                      \
    }
WRAP_FALLOCATE(posix_fallocate, off_t)
WRAP_FALLOCATE(posix_fallocate64, off64_t)

// Their null pointer is also the end of the folder, which errno tells apart.
#define WRAP_READDIR(name, entry)                                  \
    struct entry *name(DIR *folder) {                              \
        char text[2 * PATH_MAX];                                   \
        if (fails(#name, of_descriptor(dirfd(folder), text))) return NULL; \
        return REAL(name)(folder);                                 \
    }
WRAP_READDIR(readdir, dirent)
WRAP_READDIR(readdir64, dirent64)

// Of fcntl the calls that lock count.
#define WRAP_FCNTL(name)                                                                                  \
    int name(int file, int command, ...) {                                                                \
        char text[2 * PATH_MAX];                                                                          \
        va_list rest;                                                                                     \
        va_start(rest, command);                                                                          \
        void *argument = va_arg(rest, void *);                                                            \
        va_end(rest);                                                                                     \
        int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK || command == F_OFD_SETLKW; \
        if (locks && fails("fcntl", OF_FILE)) return -1;                                                  \
        return REAL(name)(file, command, argument);                                                       \
    }
WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

// The C library has no function for openat2.
long syscall(long call, ...) {
    char text[2 * PATH_MAX];
    va_list rest;
    va_start(rest, call);
    long values[6];
    for (int index = 0; index < 6; index++) values[index] = va_arg(rest, long);
    va_end(rest);
    if (call == SYS_openat2 && fails("openat2", of_name((int)values[0], (const char *)values[1], text))) return -1;
    return REAL(syscall)(call, values[0], values[1], values[2], values[3], values[4], values[5]);
}
